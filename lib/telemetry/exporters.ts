import type { IMetricReader } from '@opentelemetry/sdk-metrics'
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Settings } from '@/lib/settings/schema'
import { startMetricsServer } from './metrics-server'

/** The settings of signals that are on. */
export type Telemetry = NonNullable<Settings['telemetry']>

// Exporters are imported on demand, and read addresses, headers and certificates from the environment themselves.

/** @returns what collects the metrics, and the server that shows them to Prometheus */
export async function metricReaders({ metrics, protocol, interval, timeout, prometheus }: Telemetry, scope: string) {
  const readers: IMetricReader[] = []
  if (metrics.length === 0) return { readers, server: null }
  const { eventLoopDelay } = await import('./event-loop')
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

export async function spanProcessors({ traces, protocol }: Telemetry): Promise<SpanProcessor[]> {
  if (traces.length === 0) return []
  const { BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base')
  const { OTLPTraceExporter } =
    protocol.traces === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return [new BatchSpanProcessor(new OTLPTraceExporter())]
}
