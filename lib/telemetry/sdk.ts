import { randomUUID } from 'node:crypto'
import { DiagLogLevel, diag, type Meter, SpanKind } from '@opentelemetry/api'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { log } from '@/lib/process/log'
import type { Recorder } from '@/lib/process/telemetry'
import type { Settings } from '@/lib/settings/schema'
import { settings } from '@/lib/settings/settings'
import { metricReaders, spanProcessors } from './exporters'
import { observeGauges } from './gauges'
import { createInstruments } from './instruments'
import { RequestSpans } from './spans'

type Telemetry = NonNullable<Settings['telemetry']>

const scope = 'latchkey'

/**
 * Starts OpenTelemetry's SDK for the signals that are on. Its providers are not registered globally: Next would add spans
 * of its own, which contain whole addresses with whatever their queries hold.
 *
 * @throws Error if the metrics' port is taken
 */
export async function startSdk() {
  const { telemetry } = settings()
  if (!telemetry) throw new Error('telemetry is off')
  logFailures()
  const [metrics, traces] = [await startMetrics(telemetry), await startTraces(telemetry)]
  const shutDown = () => Promise.all([metrics?.provider.shutdown(), traces?.provider.shutdown()])
  return { recorder: recorderFor(metrics, traces?.spans ?? null), shutDown }
}

/** Detects nothing but OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME: host, owner and command line are nobody's business. */
function resource() {
  const own = resourceFromAttributes({ 'service.name': 'latchkey', 'service.instance.id': randomUUID() })
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
}

async function startMetrics(telemetry: Telemetry) {
  const { readers, server } = await metricReaders(telemetry, scope)
  if (readers.length === 0) return null
  const { MeterProvider } = await import('@opentelemetry/sdk-metrics')
  const provider = new MeterProvider({ resource: resource(), readers })
  const meter: Meter = provider.getMeter(scope)
  observeGauges(meter)
  return { provider, server, instruments: createInstruments(meter) }
}

async function startTraces(telemetry: Telemetry) {
  const processors = await spanProcessors(telemetry)
  if (processors.length === 0) return null
  const { BasicTracerProvider } = await import('@opentelemetry/sdk-trace-base')
  const provider = new BasicTracerProvider({ resource: resource(), spanProcessors: processors })
  return { provider, spans: new RequestSpans(provider.getTracer(scope)) }
}

function recorderFor(metrics: Awaited<ReturnType<typeof startMetrics>>, spans: RequestSpans | null): Recorder {
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

const quietMilliseconds = 60_000

/** Logs at most one warning a minute while the receiver is away. */
function logFailures(): void {
  let quietUntil = 0
  const warn = (text: string) => {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + quietMilliseconds
    log().warn({ reason: reasonOf(text) }, 'telemetry was not sent')
  }
  const ignored = () => undefined
  diag.setLogger(
    { error: warn, warn, info: ignored, debug: ignored, verbose: ignored },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}

/** The SDK passes an error as JSON, stack and all. */
function reasonOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text
  } catch {
    return text
  }
}
