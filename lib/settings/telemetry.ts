import * as z from 'zod'
import { deployment } from './deployment'
import { addFault, entriesOf, httpUrl, wholeNumber } from './fields'

const text = z.string().optional()

/**
 * The variables that choose signals and their receivers. OpenTelemetry's SDK reads its others itself, such as
 * OTEL_EXPORTER_OTLP_HEADERS, OTEL_RESOURCE_ATTRIBUTES and OTEL_TRACES_SAMPLER.
 */
const variables = z.object({
  OTEL_SDK_DISABLED: text,
  OTEL_METRICS_EXPORTER: text,
  OTEL_TRACES_EXPORTER: text,
  OTEL_EXPORTER_OTLP_ENDPOINT: text,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: text,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text,
  OTEL_EXPORTER_OTLP_PROTOCOL: text,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: text,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: text,
  OTEL_EXPORTER_PROMETHEUS_HOST: z.string().default('127.0.0.1'),
  OTEL_EXPORTER_PROMETHEUS_PORT: wholeNumber(9464, 1, 65_535),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(60_000, 100, 86_400_000),
  OTEL_METRIC_EXPORT_TIMEOUT: wholeNumber(30_000, 1, 86_400_000),
  ...deployment,
})

export const telemetrySchema = variables.transform((given, context) => {
  // Vercel freezes a function between requests, so it can neither send on time nor answer Prometheus.
  const off = given.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true' || given.VERCEL
  return { telemetry: off ? null : readTelemetry(given, context) }
})

const protocols = ['http/protobuf', 'http/json'] as const

type Protocol = (typeof protocols)[number]
type Signal = 'METRICS' | 'TRACES'
type Given = z.output<typeof variables>

/** @returns null if no signal is on */
function readTelemetry(given: Given, context: z.core.$RefinementCtx) {
  checkConnections(given, context)
  const metrics = exporters(given, 'METRICS', ['otlp', 'prometheus'], context)
  const traces = exporters(given, 'TRACES', ['otlp'], context)
  if (metrics.length + traces.length === 0) return null
  const interval = given.OTEL_METRIC_EXPORT_INTERVAL
  return {
    metrics,
    traces,
    protocol: { metrics: protocolOf(given, 'METRICS'), traces: protocolOf(given, 'TRACES') },
    prometheus: { host: given.OTEL_EXPORTER_PROMETHEUS_HOST, port: given.OTEL_EXPORTER_PROMETHEUS_PORT },
    /** Milliseconds between two exports of metrics over OTLP, and how long one may take. */
    interval,
    timeout: Math.min(given.OTEL_METRIC_EXPORT_TIMEOUT, interval),
  }
}

function checkConnections(given: Given, context: z.core.$RefinementCtx): void {
  for (const signal of ['', 'METRICS_', 'TRACES_'] as const) {
    const [endpoint, protocol] = [
      `OTEL_EXPORTER_OTLP_${signal}ENDPOINT`,
      `OTEL_EXPORTER_OTLP_${signal}PROTOCOL`,
    ] as const
    const { [endpoint]: url, [protocol]: name } = given
    // The message leaves the value out: such a URL may contain a password.
    if (url !== undefined && httpUrl(url) === null)
      addFault(context, endpoint, 'must be a URL such as http://localhost:4318')
    if (name === undefined || protocols.includes(name as Protocol)) continue
    const message = `must be ${protocols.join(' or ')}, because Latchkey sends OTLP over HTTP, which receivers take on port 4318; it is "${name}"`
    addFault(context, protocol, message)
  }
}

const protocolOf = (given: Given, signal: Signal) =>
  (given[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] ?? given.OTEL_EXPORTER_OTLP_PROTOCOL ?? protocols[0]) as Protocol

/** A signal that nothing names is off. */
function exporters<E extends string>(given: Given, signal: Signal, known: E[], context: z.core.$RefinementCtx): E[] {
  const variable = `OTEL_${signal}_EXPORTER` as const
  const endpoint = given.OTEL_EXPORTER_OTLP_ENDPOINT ?? given[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]
  const fallback = endpoint === undefined ? 'none' : 'otlp'
  const named = entriesOf(given[variable] ?? fallback)
  const names = [...new Set(named)].filter((name) => name !== 'none')
  const unknown = names.find((name) => !(known as string[]).includes(name))
  if (unknown !== undefined) addFault(context, variable, `must be ${known.join(', ')} or none; "${unknown}" is not one`)
  return names as E[]
}
