import type { Meter } from '@opentelemetry/api'
import type { Counters, Durations } from '@/lib/process/recorder'

// The boundaries of OpenTelemetry's semantic conventions for HTTP and databases; a wait for a hash ends within 4 seconds.
const httpBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const databaseBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
const waitBuckets = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4]

const requestDuration = 'http.server.request.duration'

const counters: Record<keyof Counters, string> = {
  'latchkey.sign_ins': 'Credentials shown to sign in, by method and outcome',
  'latchkey.sign_ups': 'Accounts created',
  'latchkey.throttled': 'Attempts that a policy rejected',
  'latchkey.app_sign_ins': 'Sign-ins to apps, by app',
  'latchkey.app_refreshes': 'Refresh tokens that apps used, by app',
}

const durations: Record<keyof Durations | typeof requestDuration, [description: string, buckets: number[]]> = {
  [requestDuration]: ['Duration of requests', httpBuckets],
  'db.client.operation.duration': ['Duration of database statements', databaseBuckets],
  'latchkey.hash.wait': ['How long password hashes waited for their turn', waitBuckets],
}

const mapEntries = <K extends string, V, R>(table: Record<K, V>, make: (name: K, value: V) => R) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, make(name as K, value as V)])) as Record<K, R>

/** What `recorder()` writes to; lib/telemetry/gauges.ts has what is read instead. */
export const createInstruments = (meter: Meter) => ({
  counters: mapEntries(counters, (name, description) => meter.createCounter(name, { description })),
  durations: mapEntries(durations, (name, [description, explicitBucketBoundaries]) =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } }),
  ),
})

export type Instruments = ReturnType<typeof createInstruments>
