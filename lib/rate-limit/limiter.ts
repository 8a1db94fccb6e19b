import { database } from '@/lib/database/client'
import { singleton } from '@/lib/process/singleton'
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker'
import { databaseStore } from './database-store'
import { redis } from './redis-connection'
import { redisStore } from './redis-store'
import type { Attempt, RateLimitStore } from './store'

/**
 * The store of a policy, one per process: Redis if it is configured and available, otherwise the database.
 *
 * @param name unique to the policy
 * @param max attempts per window
 */
export function rateLimiter(name: string, max: number, windowMilliseconds: number): RateLimitStore {
  return singleton(`limiter/${name}`, () => {
    const onDatabase = databaseStore(database, name, max, windowMilliseconds)
    const connection = redis()
    if (connection === null) return onDatabase
    // All policies share one Redis, hence one breaker.
    const breaker = singleton('circuit-breaker', circuitBreaker)
    return withCircuitBreaker(redisStore(connection, name, max, windowMilliseconds), onDatabase, breaker)
  })
}

/** Counts in the primary store, or in the fallback while the breaker is open. An attempt is refunded or reset where it was counted. */
export function withCircuitBreaker(
  primary: RateLimitStore,
  fallback: RateLimitStore,
  breaker: CircuitBreaker,
): RateLimitStore {
  // If the primary store fails meanwhile, the attempt stays counted there.
  const ignored = async () => undefined
  const guarded = (attempt: Attempt): Attempt => ({
    ...attempt,
    refund: () => breaker(attempt.refund, ignored),
    reset: () => breaker(attempt.reset, ignored),
  })
  return {
    consume: (key) =>
      breaker(
        async () => guarded(await primary.consume(key)),
        () => fallback.consume(key),
      ),
    remaining: (key) =>
      breaker(
        () => primary.remaining(key),
        () => fallback.remaining(key),
      ),
  }
}
