import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from 'node:http'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { Recorder, RequestAttributes } from '@/lib/process/recorder'
import type { Instruments } from './metrics'

interface Metrics {
  instruments: Instruments
  server: Server | null
}

/** Writes to the signals that are on. */
export function createRecorder(metrics: Metrics | null, spans: RequestSpans | null): Recorder {
  const { counters, durations } = metrics?.instruments ?? {}
  return {
    metricsServer: metrics?.server ?? null,
    count: (name, attributes) => counters?.[name].add(1, { ...attributes }),
    record(name, seconds, attributes) {
      durations?.[name].record(seconds, { ...attributes })
      if (!spans) return
      const { 'db.operation.name': operation, 'db.collection.name': table } = attributes as Record<string, string>
      const isDatabase = operation !== undefined
      const spanName = isDatabase ? [operation, table].filter(Boolean).join(' ') : name
      spans.add(spanName, seconds, isDatabase ? SpanKind.CLIENT : SpanKind.INTERNAL, { ...attributes })
    },
    startRequest(attributes) {
      const start = performance.now()
      const endSpan = spans?.start(attributes)
      return (status) => {
        endSpan?.(status)
        const seconds = (performance.now() - start) / 1000
        const withStatus = { ...attributes, ...(status !== undefined && { 'http.response.status_code': status }) }
        durations?.['http.server.request.duration'].record(seconds, withStatus)
      }
    },
    nameRequest: (id) => spans?.name(id),
  }
}

const requestId = 'latchkey.request_id'

/** Makes a span for each request, and in it one for each measurement meanwhile. */
export class RequestSpans {
  readonly #tracer: Tracer
  readonly #underWay = new AsyncLocalStorage<{ span: Span; context: Context }>()

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  /** Starts a span, which everything belongs to that the request does from here on. @returns a function that ends the span */
  start(attributes: RequestAttributes): (status: number | undefined) => void {
    const name = [attributes['http.request.method'], attributes['http.route']].filter(Boolean).join(' ')
    // Ignores `traceparent`, by which strangers would choose the traces to keep.
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...attributes } }, ROOT_CONTEXT)
    // Node publishes a request before it handles it, so there is no function to run the request in.
    this.#underWay.enterWith({ span, context: trace.setSpan(ROOT_CONTEXT, span) })
    return (status) => {
      if (status !== undefined) span.setAttribute('http.response.status_code', status)
      if (status !== undefined && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
  }

  name(id: string): void {
    this.#underWay.getStore()?.span.setAttribute(requestId, id)
  }

  /** Adds a span that ends now. Work that belongs to no request, such as a purge, has none. */
  add(name: string, seconds: number, kind: SpanKind, attributes: Record<string, string>): void {
    const request = this.#underWay.getStore()
    if (!request?.span.isRecording()) return
    const end = performance.timeOrigin + performance.now()
    const startTime = end - seconds * 1000
    this.#tracer.startSpan(name, { kind, startTime, attributes }, request.context).end(end)
  }
}
