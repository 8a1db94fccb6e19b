import type { Method } from '@/lib/api/schemas'
import { singleton } from './singleton'

/** Keeps names and attributes stable, since people write dashboards and alarms against them. */
export interface Counters {
  'latchkey.sign_ins': { method: Method; outcome: string }
  'latchkey.sign_ups': object
  'latchkey.throttled': { policy: string }
  /** `app`: the id of one that an operator registered, or `document` for all that introduced themselves */
  'latchkey.app_sign_ins': { app: string }
  'latchkey.app_refreshes': { app: string }
}

/** Durations in seconds. */
export interface Durations {
  'db.client.operation.duration': {
    'db.system.name': 'sqlite' | 'postgresql'
    'db.operation.name': string
    'db.collection.name'?: string
    'error.type'?: string
  }
  'latchkey.hash.wait': object
}

export interface RequestAttributes {
  'http.request.method': string
  /** Names an endpoint or one of our pages; clients make up other paths */
  'http.route'?: string
}

/** Records measurements; the implementation in lib/telemetry passes them to OpenTelemetry's SDK. */
export interface Recorder {
  count<N extends keyof Counters>(name: N, attributes: Counters[N]): void
  /** Records something that ends now, also as a span of the request under way. */
  record<N extends keyof Durations>(name: N, seconds: number, attributes: Durations[N]): void
  /** @returns a function to call after the response, without a status if there was none */
  startRequest(attributes: RequestAttributes): (status: number | undefined) => void
  /** Gives the request under way its id, as in the log and in X-Request-Id. */
  nameRequest(requestId: string): void
  /** The server that shows the metrics; its own requests do not count */
  readonly metricsServer: object | null
}

const state = () => singleton('telemetry', () => ({ recorder: null as Recorder | null }))

/** Null while telemetry is off. */
export const recorder = (): Recorder | null => state().recorder

export function setRecorder(started: Recorder): void {
  state().recorder = started
}
