import type { Server } from 'node:http'
import { SpanKind } from '@opentelemetry/api'
import type { Recorder } from '@/lib/process/recorder'
import type { Instruments } from './instruments'
import type { RequestSpans } from './spans'

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
