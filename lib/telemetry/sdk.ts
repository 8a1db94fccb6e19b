import { randomUUID } from 'node:crypto'
import type { Meter } from '@opentelemetry/api'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { settings } from '@/lib/settings/settings'
import { metricReaders, spanProcessors, type Telemetry } from './exporters'
import { observeGauges } from './gauges'
import { createInstruments } from './instruments'
import { logExportFailures } from './log-export-failures'
import { createRecorder } from './recorder'
import { RequestSpans } from './spans'

const scope = 'latchkey'

/**
 * Starts OpenTelemetry's SDK for the signals that are on. Its providers are not registered globally: Next would add spans
 * of its own, which contain whole URLs with whatever their queries hold.
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
  // Not `all`, which would end with the first that fails, before the other has sent anything.
  const shutDown = () => Promise.allSettled([metrics?.provider.shutdown(), traces?.provider.shutdown()])
  return { recorder: createRecorder(metrics, traces?.spans ?? null), shutDown }
}

/** Detects nothing but OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME: host, owner and command line are nobody's business. */
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
