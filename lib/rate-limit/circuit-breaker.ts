import { log } from '@/lib/process/log'
import type { Attempt, RateLimitStore } from './store'

/** Counts in the fallback while the primary store fails. Refunds and resets an attempt in the store that counted it. */
export function withCircuitBreaker(
  primary: RateLimitStore,
  fallback: RateLimitStore,
  guard: CircuitBreaker,
): RateLimitStore {
  const retryAt = (key: string) =>
    guard(
      () => primary.retryAt(key),
      () => fallback.retryAt(key),
    )
  // The fallback did not count this attempt, so it stays counted where the primary store cannot take it back.
  const leaveCounted = async () => undefined
  const counted = (key: string, attempt: Attempt): Attempt => ({
    // A rejection stands even if the primary store fails right after it: the fallback must not admit the attempt.
    success: attempt.success,
    retryAt: () => retryAt(key),
    refund: () => guard(attempt.refund, leaveCounted),
    reset: () => guard(attempt.reset, leaveCounted),
  })
  return {
    consume: (key) =>
      guard(
        async () => counted(key, await primary.consume(key)),
        () => fallback.consume(key),
      ),
    retryAt,
  }
}

/** An attempt waits at most this long for Redis, and then as long as the database takes. */
const deadlineMilliseconds = 300
const tickMilliseconds = 50
/** An open breaker lets a call probe Redis this often. */
const openMilliseconds = 1_000

type State = 'closed' | 'half-open' | 'open'

interface CircuitBreaker {
  <T>(primary: () => Promise<T>, fallback: () => Promise<T>): Promise<T>
  /** Half-open while one call probes Redis. */
  state(): State
}

/**
 * Runs `primary`, or `fallback` if that fails. A failure or a missed deadline opens the breaker: calls then use the
 * fallback at once, so a slow Redis does not delay them. Half-open, once a second, one call probes Redis, and a success
 * closes the breaker.
 *
 * An attempt that Redis answers too late may count in both stores, but never in neither.
 */
export function circuitBreaker(): CircuitBreaker {
  let state: State = 'closed'
  let halfOpenAt = 0
  const failed = (error: unknown) => {
    halfOpenAt = Date.now() + openMilliseconds
    // Logs the message alone: errors of the Redis client contain the command, which may be AUTH with the password.
    if (state === 'closed')
      log().warn({ reason: reasonOf(error) }, 'Redis unavailable; rate limits fall back to the database')
    state = 'open'
  }
  async function run<T>(primary: () => Promise<T>, fallback: () => Promise<T>): Promise<T> {
    const probes = state !== 'closed'
    if (probes) {
      if (Date.now() < halfOpenAt) return fallback()
      state = 'half-open'
      // Makes other calls use the fallback while this one probes.
      halfOpenAt = Date.now() + openMilliseconds
    }
    try {
      const answer = await withinDeadline(primary())
      if (probes && state !== 'closed') log().info('Redis available again; rate limits use it')
      if (probes) state = 'closed'
      return answer
    } catch (error) {
      failed(error)
      return fallback()
    }
  }
  return Object.assign(run, { state: () => state })
}

/**
 * Rejects once Redis has been silent for the deadline, and does not mistake delays of this process for silence: the deadline
 * passes in ticks, and between two of them the event loop reads the answers that have arrived. A blocked event loop thus costs
 * one tick, however long it was blocked.
 */
function withinDeadline<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false
    let left = deadlineMilliseconds
    let timer: NodeJS.Timeout
    const tick = () => {
      if (settled) return
      if (left <= 0) return reject(new Error(`no answer within ${deadlineMilliseconds} ms`))
      left -= tickMilliseconds
      // Sockets are read after timers and before immediates.
      timer = setTimeout(() => setImmediate(tick), tickMilliseconds)
    }
    tick()
    answer.then(resolve, reject).finally(() => {
      settled = true
      clearTimeout(timer)
    })
  })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
