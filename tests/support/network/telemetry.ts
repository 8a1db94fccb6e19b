import { createRequire } from 'node:module'
import { freePort } from '../machine/ports'

const { MockOtlpServer, normalizeMetrics, normalizeTrace } = createRequire(import.meta.url)('@elastic/mockotlpserver')

type Attributes = Record<string, string | number>

export interface Span {
  name: string
  kind: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Attributes
  status?: { code: string }
  resource: Attributes
}

export interface Point {
  name: string
  attributes: Attributes
  resource: Attributes
}

type Resource = { resource: { attributes: Attributes } }
type ScopeSpans = { scopeSpans: { spans: Omit<Span, 'attributes' | 'resource'>[] }[] }
type DataPoints = { dataPoints: { attributes?: Attributes }[] }
type ScopeMetrics = {
  scopeMetrics: { metrics: ({ name: string } & Partial<Record<'sum' | 'gauge' | 'histogram', DataPoints>>)[] }[]
}

/** An OTLP receiver of another project's making, which decodes protobuf and JSON. */
export async function startTelemetryReceiver() {
  const [spans, points, requests]: [Span[], Point[], string[]] = [[], [], []]
  const receiver = new MockOtlpServer({
    services: ['http'],
    httpHostname: '127.0.0.1',
    httpPort: 0,
    logLevel: 'warn',
    onRequest: ({ path, headers }: { path: string; headers: Record<string, string> }) =>
      requests.push(`${path} ${headers['content-type']} ${headers.authorization ?? ''}`.trim()),
    onTrace(received: unknown) {
      const { resourceSpans } = normalizeTrace(received) as { resourceSpans: (Resource & ScopeSpans)[] }
      for (const { resource, scopeSpans } of resourceSpans)
        for (const scope of scopeSpans)
          for (const span of scope.spans) spans.push({ attributes: {}, ...span, resource: resource.attributes })
    },
    onMetrics(received: unknown) {
      const { resourceMetrics } = normalizeMetrics(received) as { resourceMetrics: (Resource & ScopeMetrics)[] }
      for (const { resource, scopeMetrics } of resourceMetrics)
        for (const metric of scopeMetrics.flatMap(({ metrics }) => metrics))
          for (const { attributes = {} } of (metric.sum ?? metric.gauge ?? metric.histogram)?.dataPoints ?? [])
            points.push({ name: metric.name, attributes, resource: resource.attributes })
    },
  })
  await receiver.start()
  return { url: receiver.httpUrl as string, spans, points, requests, close: () => receiver.close() as Promise<void> }
}

/** Settings that show the metrics to Prometheus on a free port, and what reads them there. */
export async function prometheus() {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const text = async () => (await fetch(`${url}/metrics`)).text()
  return {
    url,
    text,
    env: { OTEL_METRICS_EXPORTER: 'prometheus', OTEL_EXPORTER_PROMETHEUS_PORT: String(port) },
    /** The values of a metric by their labels, in the order of the text. */
    async read(name: string): Promise<Record<string, number>> {
      const found: Record<string, number> = {}
      for (const [, metric, labels = '', value] of (await text()).matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm))
        if (metric === name) found[labels] = Number(value)
      return found
    },
  }
}
