import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { BatchObservableResult, Meter } from '@opentelemetry/api'
import { MeterProvider, type MetricProducer, MetricReader } from '@opentelemetry/sdk-metrics'
import { waitingHashes } from '@/lib/auth/passwords/hash-queue'
import { isPolling } from '@/lib/delivery/delivering'
import { measureLetters, measureWaiting } from '@/lib/delivery/outbox'
import type { Counters, Durations } from '@/lib/process/recorder'
import { circuitBreakerState } from '@/lib/rate-limit/limiter'
import { settings } from '@/lib/settings/settings'

/** Makes the instruments that `recorder()` writes to. */
export const createInstruments = (meter: Meter) => ({
  counters: mapEntries(counters, (name, description) => meter.createCounter(name, { description })),
  durations: mapEntries(durations, (name, [description, explicitBucketBoundaries]) =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } }),
  ),
})

export type Instruments = ReturnType<typeof createInstruments>

// HTTP and databases have the boundaries of OpenTelemetry's semantic conventions; a wait for a hash ends within 20 seconds.
const httpBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const databaseBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
const waitBuckets = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20]

const requestDuration = 'http.server.request.duration'

const counters: Record<keyof Counters, string> = {
  'latchkey.sign_ins': 'Credentials shown to sign in, by method and outcome',
  'latchkey.sign_ups': 'Accounts created',
  'latchkey.throttled': 'Attempts that a policy rejected',
  'latchkey.app_sign_ins': 'Sign-ins to apps, by app',
  'latchkey.app_refreshes': 'Refresh tokens that apps used, by app',
}

const durations: Record<keyof Durations | typeof requestDuration, [description: string, buckets: number[]]> = {
  [requestDuration]: ['Duration of requests', httpBuckets],
  'db.client.operation.duration': ['Duration of database statements', databaseBuckets],
  'latchkey.hash.wait': ['How long password hashes waited for their turn', waitBuckets],
}

const mapEntries = <K extends string, V, R>(table: Record<K, V>, make: (name: K, value: V) => R) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, make(name as K, value as V)])) as Record<K, R>

const states = { closed: 0, 'half-open': 1, open: 2 }

/** Adds gauges for each collection to read. Without Redis there is no circuit breaker. */
export function observeGauges(meter: Meter): void {
  const observe = (name: string, description: string, read: () => number) =>
    meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read()))
  observe('latchkey.hash.queue', 'Password hashes that wait for their turn', waitingHashes)
  if (settings().redis)
    observe('latchkey.circuit_breaker', 'Of Redis: 0 closed, 1 half-open, 2 open', () => states[circuitBreakerState()])
  observeDeliveries(meter)
}

/**
 * Counts the whole outbox, so that each instance shows the same number. Shows none while this process sends nothing, or the
 * database is unavailable.
 */
function observeDeliveries(meter: Meter): void {
  const count = meter.createObservableGauge('latchkey.deliveries.waiting', {
    description: 'Messages to receivers that wait for an attempt',
  })
  const age = meter.createObservableGauge('latchkey.deliveries.age', {
    description: 'How long the oldest of them has waited',
    unit: 's',
  })
  if (settings().mail) observeLetters(meter)
  const read = async (result: BatchObservableResult) => {
    const waiting = isPolling() ? await measureWaiting().catch(() => null) : null
    if (!waiting) return
    result.observe(count, waiting.count)
    result.observe(age, waiting.age / 1000)
  }
  meter.addBatchObservableCallback(read, [count, age])
}

function observeLetters(meter: Meter): void {
  const waiting = meter.createObservableGauge('latchkey.letters.waiting', {
    description: 'Letters that wait for an attempt',
  })
  const failed = meter.createObservableGauge('latchkey.letters.failed', {
    description: 'Letters that the mail server has refused for good',
  })
  const read = async (result: BatchObservableResult) => {
    const letters = await measureLetters().catch(() => null)
    if (!letters) return
    result.observe(waiting, letters.waiting)
    result.observe(failed, letters.failed)
  }
  meter.addBatchObservableCallback(read, [waiting, failed])
}

/**
 * Measures the delay of the event loop since the last collection, for one reader of metrics. Two readers cannot share a histogram:
 * OpenTelemetry's callback does not know which one collects, so each would reset values that the other has not read.
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

/** How much the timer that measures adds even when nothing delays the event loop (OpenTelemetry, "Node.js metrics"). */
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
      // Right after the last collection there is no value yet, and the mean of none is not a number.
      if (delay.count > 0) for (const { gauge, read } of gauges) result.observe(gauge, read() / 1e9)
      delay.reset()
    },
    gauges.map(({ gauge }) => gauge),
  )
}
