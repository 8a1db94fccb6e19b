import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { databaseStore } from './database-store'
import { redis, redisStore } from './redis-store'
import type { Attempt, RateLimit, RateLimitStore } from './store'

/** Counts in Redis if it is configured and available, otherwise in the database. */
export function rateLimiter(limit: RateLimit): RateLimitStore {
  return singleton(`limiter/${limit.name}`, () => {
    const onDatabase = databaseStore(limit)
    const connection = redis()
    if (connection === null) return onDatabase
    return withCircuitBreaker(redisStore(connection, limit), onDatabase, breaker())
  })
}

/** All policies share it, as they share the connection. */
const breaker = () => singleton('circuit-breaker', circuitBreaker)

export const circuitBreakerState = () => breaker().state()

/** Counts in the fallback while the primary store fails. Refunds and resets an attempt in the store that counted it. */
export function withCircuitBreaker(
  primary: RateLimitStore,
  fallback: RateLimitStore,
  guard: CircuitBreaker,
): RateLimitStore {
  // If the primary store fails meanwhile, the attempt stays counted there.
  const ignored = async () => undefined
  const retryAt = (key: string) =>
    guard(
      () => primary.retryAt(key),
      () => fallback.retryAt(key),
    )
  const guarded = (key: string, attempt: Attempt): Attempt => ({
    success: attempt.success,
    // The decision stands: if the primary store fails here, the fallback must not admit a rejected attempt.
    retryAt: () => retryAt(key),
    refund: () => guard(attempt.refund, ignored),
    reset: () => guard(attempt.reset, ignored),
  })
  return {
    consume: (key) =>
      guard(
        async () => guarded(key, await primary.consume(key)),
        () => fallback.consume(key),
      ),
    retryAt,
  }
}

/** An attempt waits so long for Redis. The fallback adds the waits of the database. */
const deadlineMilliseconds = 300
const tickMilliseconds = 50
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
    if (probes && Date.now() < halfOpenAt) return fallback()
    if (probes) {
      state = 'half-open'
      // Other calls use the fallback while this one probes.
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
 * Measures Redis and not the delays of this process. The deadline passes in ticks, and between two of them the event loop reads
 * the answers that have arrived, so that a blocked event loop counts as one tick, however long it took.
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
