import { database } from '@/lib/database/client'
import { once } from '@/lib/process/singleton'
import { outageSwitch, type Switch } from './circuit-breaker'
import { databaseCounter } from './database-store'
import { redis } from './redis-connection'
import { redisCounter } from './redis-store'
import type { Attempt, Counter } from './sliding-window'

/**
 * The counter of a quota, one per process: on Redis where Redis is configured and in order, else on the database.
 *
 * @param name unique to the quota
 * @param max attempts in a window
 */
export function limiter(name: string, max: number, windowMilliseconds: number): Counter {
  return once(`limiter/${name}`, () => {
    const onDatabase = databaseCounter(database, name, max, windowMilliseconds)
    const connection = redis()
    if (connection === null) return onDatabase
    // All quotas share one Redis, so they share its outages.
    const choose = once('redis-outage', outageSwitch)
    return eitherCounter(redisCounter(connection, name, max, windowMilliseconds), onDatabase, choose)
  })
}

/** Counts on the first while that is in order, else on the second. What is done to an attempt is done where it was counted. */
export function eitherCounter(first: Counter, second: Counter, choose: Switch): Counter {
  const nowhere = async () => undefined
  const guarded = (attempt: Attempt): Attempt => ({
    ...attempt,
    // If the first has failed meanwhile, the attempt just stays counted there.
    giveBack: () => choose(attempt.giveBack, nowhere),
    clear: () => choose(attempt.clear, nowhere),
  })
  return {
    take: (key) =>
      choose(
        async () => guarded(await first.take(key)),
        () => second.take(key),
      ),
    left: (key) =>
      choose(
        () => first.left(key),
        () => second.left(key),
      ),
  }
}
