import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  type Context,
  DiagLogLevel,
  diag,
  type Meter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import type { IMetricReader } from '@opentelemetry/sdk-metrics'
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { log, onceAMinute } from '@/lib/process/log'
import { listen } from '@/lib/process/own-server'
import type { Recorder, RequestAttributes } from '@/lib/process/recorder'
import { type Settings, settings } from '@/lib/settings/settings'
import { createInstruments, type Instruments, observeGauges } from './metrics'

const scope = 'latchkey'

/**
 * Starts OpenTelemetry's SDK for the signals that are on. Does not register its providers globally: Next would add its own spans,
 * which contain whole URLs with all that their queries hold.
 *
 * @throws Error if the metrics' port is taken
 */
export async function startSdk() {
  const { telemetry } = settings()
  if (!telemetry) throw new Error('telemetry is off')
  logExportFailures()
  const resource = ownResource()
  const metrics = await startMetrics(telemetry, resource)
  const traces = await startTraces(telemetry, resource)
  // `all` would end with the first that fails, before the other has sent anything.
  const shutDown = () => Promise.allSettled([metrics?.provider.shutdown(), traces?.provider.shutdown()])
  return { recorder: createRecorder(metrics, traces?.spans ?? null), shutDown }
}

/** Reads OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME alone: host, owner and command line are nobody's business. */
function ownResource(): Resource {
  const own = resourceFromAttributes({ 'service.name': 'latchkey', 'service.instance.id': randomUUID() })
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
}

async function startMetrics(telemetry: Telemetry, resource: Resource) {
  const { readers, server } = await metricReaders(telemetry, scope)
  if (readers.length === 0) return null
  const { MeterProvider } = await import('@opentelemetry/sdk-metrics')
  const provider = new MeterProvider({ resource, readers })
  const meter: Meter = provider.getMeter(scope)
  observeGauges(meter)
  return { provider, server, instruments: createInstruments(meter) }
}

async function startTraces(telemetry: Telemetry, resource: Resource) {
  const processors = await spanProcessors(telemetry)
  if (processors.length === 0) return null
  const { BasicTracerProvider } = await import('@opentelemetry/sdk-trace-base')
  const provider = new BasicTracerProvider({ resource, spanProcessors: processors })
  return { provider, spans: new RequestSpans(provider.getTracer(scope)) }
}

/** The settings of signals that are on. */
type Telemetry = NonNullable<Settings['telemetry']>

// The next functions import exporters on demand; these read addresses, headers and certificates from the environment themselves.

/** @returns the readers that collect the metrics, and the server that shows them to Prometheus */
export async function metricReaders({ metrics, protocol, interval, timeout, prometheus }: Telemetry, scope: string) {
  const readers: IMetricReader[] = []
  if (metrics.length === 0) return { readers, server: null }
  const { eventLoopDelay } = await import('./metrics')
  if (metrics.includes('otlp')) {
    const { PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics')
    const { OTLPMetricExporter } =
      protocol.metrics === 'http/json'
        ? await import('@opentelemetry/exporter-metrics-otlp-http')
        : await import('@opentelemetry/exporter-metrics-otlp-proto')
    const exporter = new OTLPMetricExporter()
    const metricProducers = [eventLoopDelay(scope)]
    const times = { exportIntervalMillis: interval, exportTimeoutMillis: timeout }
    readers.push(new PeriodicExportingMetricReader({ exporter, ...times, metricProducers }))
  }
  if (!metrics.includes('prometheus')) return { readers, server: null }
  const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus')
  const metricProducers = [eventLoopDelay(scope)]
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true, metricProducers })
  const show = exporter.getMetricsRequestHandler.bind(exporter)
  return { readers: [...readers, exporter], server: await startMetricsServer(prometheus, show) }
}

async function spanProcessors({ traces, protocol }: Telemetry): Promise<SpanProcessor[]> {
  if (traces.length === 0) return []
  const { BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base')
  const { OTLPTraceExporter } =
    protocol.traces === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return [new BatchSpanProcessor(new OTLPTraceExporter())]
}

/**
 * Shows the metrics at `/metrics`, on a separate address, because the service's own is open to everyone. Does not use the
 * exporter's server, whose requests would count as the service's.
 *
 * @throws Error if the port is taken
 */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  show: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer((request, response) => {
    const [path] = request.url?.split('?', 1) ?? []
    if (path === '/metrics' && request.method === 'GET') return show(request, response)
    if (path === '/metrics') response.writeHead(405, { Allow: 'GET' }).end()
    else response.writeHead(404).end()
  })
  // Lets a process end that has nothing else to do.
  server.unref()
  await listen(server, { host, port }, 'could not show the metrics').catch(({ message }: Error) => {
    throw new Error(`OTEL_EXPORTER_PROMETHEUS_PORT must be a free port: ${message}`)
  })
  return server
}

/** Logs at most one warning a minute while the receiver is unavailable. */
function logExportFailures(): void {
  const warn = onceAMinute((text: string) => log().warn({ reason: reasonOf(text) }, 'telemetry was not sent'))
  const ignored = () => undefined
  diag.setLogger(
    { error: warn, warn, info: ignored, debug: ignored, verbose: ignored },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}

/** Takes the message out of an error, which the SDK passes as JSON, stack and all. */
function reasonOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text
  } catch {
    return text
  }
}

interface Metrics {
  instruments: Instruments
  server: Server | null
}

/** Writes to the signals that are on. */
function createRecorder(metrics: Metrics | null, spans: RequestSpans | null): Recorder {
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
class RequestSpans {
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
