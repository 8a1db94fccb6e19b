import type { BatchObservableResult, Meter } from '@opentelemetry/api'
import { waitingHashes } from '@/lib/auth/passwords/hash-queue'
import { isPolling } from '@/lib/delivery/delivering'
import { measureWaiting } from '@/lib/delivery/undelivered'
import { circuitBreakerState } from '@/lib/rate-limit/limiter'
import { settings } from '@/lib/settings/settings'

const states = { closed: 0, 'half-open': 1, open: 2 }

/** What is read when the metrics are collected. A front end has no hashes, and without Redis there is no circuit breaker. */
export function observeGauges(meter: Meter): void {
  const { backendUrl, redis } = settings()
  if (backendUrl) return
  const observe = (name: string, description: string, read: () => number) =>
    meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read()))
  observe('latchkey.hash.queue', 'Password hashes that wait for their turn', waitingHashes)
  if (redis)
    observe('latchkey.circuit_breaker', 'Of Redis: 0 closed, 1 half-open, 2 open', () => states[circuitBreakerState()])
  observeDeliveries(meter)
}

/**
 * Of the whole outbox, so that each instance shows the same. Without a value while this process sends nothing, or the database
 * is unavailable.
 */
function observeDeliveries(meter: Meter): void {
  const count = meter.createObservableGauge('latchkey.deliveries.waiting', {
    description: 'Messages to receivers that wait for an attempt',
  })
  const age = meter.createObservableGauge('latchkey.deliveries.age', {
    description: 'How long the oldest of them has waited',
    unit: 's',
  })
  const read = async (result: BatchObservableResult) => {
    const waiting = isPolling() ? await measureWaiting().catch(() => null) : null
    if (!waiting) return
    result.observe(count, waiting.count)
    result.observe(age, waiting.age / 1000)
  }
  meter.addBatchObservableCallback(read, [count, age])
}
