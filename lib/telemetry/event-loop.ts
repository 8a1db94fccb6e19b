import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Meter } from '@opentelemetry/api'
import { MeterProvider, type MetricProducer, MetricReader } from '@opentelemetry/sdk-metrics'

/**
 * The delay of the event loop since the last collection, for one reader of metrics: a callback of OpenTelemetry does not know
 * which reader collects, so of two that shared a histogram each would reset what the other has not read.
 */
export function eventLoopDelay(scope: string): MetricProducer {
  const reader = new OnDemandReader()
  observeDelay(new MeterProvider({ readers: [reader] }).getMeter(scope))
  return reader
}

class OnDemandReader extends MetricReader {
  protected async onForceFlush() {}
  protected async onShutdown() {}
}

/** At least this, also when nothing delays the event loop: it is measured by a timer (OpenTelemetry, "Node.js metrics"). */
const resolution = 10

function observeDelay(meter: Meter): void {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const readings = {
    min: () => delay.min,
    max: () => delay.max,
    mean: () => delay.mean,
    stddev: () => delay.stddev,
    p50: () => delay.percentile(50),
    p90: () => delay.percentile(90),
    p99: () => delay.percentile(99),
  }
  const gauges = Object.entries(readings).map(([name, read]) => {
    const description = `Delay of the event loop since the last collection: ${name}`
    return { gauge: meter.createObservableGauge(`nodejs.eventloop.delay.${name}`, { description, unit: 's' }), read }
  })
  meter.addBatchObservableCallback(
    (result) => {
      // Nothing is measured yet right after the last collection; the mean of nothing is not a number.
      if (delay.count > 0) for (const { gauge, read } of gauges) result.observe(gauge, read() / 1e9)
      delay.reset()
    },
    gauges.map(({ gauge }) => gauge),
  )
}
