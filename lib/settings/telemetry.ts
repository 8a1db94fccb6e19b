import { z } from 'zod'
import { addFault } from './fault'
import { wholeNumber } from './whole-number'

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
// Its value stays out of the message: such a URL may contain a password.
const endpoint = z.string().refine(isHttpUrl, 'must be a URL such as http://localhost:4318').optional()

/**
 * Which signals are sent where. OpenTelemetry's SDK reads its other variables itself, such as OTEL_EXPORTER_OTLP_HEADERS,
 * OTEL_RESOURCE_ATTRIBUTES and OTEL_TRACES_SAMPLER.
 */
export const telemetrySchema = z
  .object({
    OTEL_SDK_DISABLED: z.string().optional(),
    OTEL_METRICS_EXPORTER: z.string().optional(),
    OTEL_TRACES_EXPORTER: z.string().optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: z.string().optional(),
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().optional(),
    OTEL_EXPORTER_PROMETHEUS_HOST: z.string().default('127.0.0.1'),
    OTEL_EXPORTER_PROMETHEUS_PORT: wholeNumber(9464, 1, 65_535),
    OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(60_000, 100, 86_400_000),
    OTEL_METRIC_EXPORT_TIMEOUT: wholeNumber(30_000, 1, 86_400_000),
    VERCEL: z.string().optional(),
  })
  .transform((given, context) => {
    // A function on Vercel is frozen between requests and cannot send on time, nor be asked.
    const off = given.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true' || given.VERCEL !== undefined
    return { telemetry: off ? null : telemetry(given, context) }
  })

const protocols = ['http/protobuf', 'http/json'] as const

type Given = Partial<Record<`OTEL_${string}`, string | number>>

/** @returns null if no signal is on */
function telemetry(given: Given, context: z.core.$RefinementCtx) {
  const metrics = exporters(given, 'METRICS', ['otlp', 'prometheus'], context)
  const traces = exporters(given, 'TRACES', ['otlp'], context)
  const protocol = {
    metrics: protocolOf(given, 'METRICS', context),
    traces: protocolOf(given, 'TRACES', context),
  }
  if (metrics.length + traces.length === 0) return null
  const interval = Number(given.OTEL_METRIC_EXPORT_INTERVAL)
  return {
    metrics,
    traces,
    protocol,
    prometheus: {
      host: String(given.OTEL_EXPORTER_PROMETHEUS_HOST),
      port: Number(given.OTEL_EXPORTER_PROMETHEUS_PORT),
    },
    /** Milliseconds between two exports of metrics over OTLP, and how long one may take. */
    interval,
    timeout: Math.min(Number(given.OTEL_METRIC_EXPORT_TIMEOUT), interval),
  }
}

type Signal = 'METRICS' | 'TRACES'

/** A signal that nothing names is off. */
function exporters<E extends string>(given: Given, signal: Signal, known: E[], context: z.core.$RefinementCtx): E[] {
  const variable = `OTEL_${signal}_EXPORTER` as const
  const named = given[variable]
  const hasEndpoint = given.OTEL_EXPORTER_OTLP_ENDPOINT ?? given[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]
  if (named === undefined) return hasEndpoint === undefined ? [] : known.slice(0, 1)
  const names = new Set(String(named).split(',').map((name) => name.trim())) // biome-ignore format: one list
  const choice = [...names].filter((name) => name !== 'none')
  const unknown = choice.find((name) => !(known as string[]).includes(name))
  if (unknown !== undefined) {
    const right = `must be ${[...known, 'none'].join(', ').replace(/, (\w+)$/, ' or $1')}; "${unknown}" is not one`
    addFault(context, variable, right)
  }
  return choice as E[]
}

function protocolOf(given: Given, signal: Signal, context: z.core.$RefinementCtx) {
  const own = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL` as const
  const variable = given[own] === undefined ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : own
  const named = given[variable] ?? protocols[0]
  const protocol = protocols.find((name) => name === named)
  if (protocol) return protocol
  const right = `must be ${protocols.join(' or ')}, because OTLP is sent over HTTP, usually to port 4318; it is ${named}`
  addFault(context, variable, right)
  return protocols[0]
}
