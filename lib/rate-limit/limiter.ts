import { database } from '@/lib/database/client'
import { singleton } from '@/lib/process/singleton'
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker'
import { databaseStore } from './database-store'
import { redis } from './redis-connection'
import { redisStore } from './redis-store'
import type { Attempt, RateLimitStore } from './sliding-window'

/**
 * The counter of a quota, one per process: on Redis where Redis is configured and in order, else on the database.
 *
 * @param name unique to the quota
 * @param max attempts in a window
 */
export function rateLimiter(name: string, max: number, windowMilliseconds: number): RateLimitStore {
  return singleton(`limiter/${name}`, () => {
    const onDatabase = databaseStore(database, name, max, windowMilliseconds)
    const connection = redis()
    if (connection === null) return onDatabase
    // All quotas share one Redis, so they share its outages.
    const breaker = singleton('circuit-breaker', circuitBreaker)
    return withCircuitBreaker(redisStore(connection, name, max, windowMilliseconds), onDatabase, breaker)
  })
}

/** Counts on the first while that is in order, else on the second. What is done to an attempt is done where it was counted. */
export function withCircuitBreaker(
  primary: RateLimitStore,
  fallback: RateLimitStore,
  breaker: CircuitBreaker,
): RateLimitStore {
  const nowhere = async () => undefined
  const guarded = (attempt: Attempt): Attempt => ({
    ...attempt,
    // If the first has failed meanwhile, the attempt just stays counted there.
    refund: () => breaker(attempt.refund, nowhere),
    reset: () => breaker(attempt.reset, nowhere),
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
