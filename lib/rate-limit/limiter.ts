import { singleton } from '@/lib/process/singleton'
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker'
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
