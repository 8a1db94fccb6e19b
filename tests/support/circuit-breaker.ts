import { randomBytes } from 'node:crypto'
import { expect } from 'playwright/test'
import { log } from '@/lib/process/log'
import { circuitBreaker } from '@/lib/rate-limit/circuit-breaker'
import { withCircuitBreaker } from '@/lib/rate-limit/limiter'
import { type RedisConnection, redisStore } from '@/lib/rate-limit/redis-store'
import type { TestStore } from './rate-limit-stores'

const day = 86_400_000

/** Counters over a connection and the database, and what they log. */
export function storeWithBreaker(
  connection: RedisConnection,
  database: TestStore,
  name = randomBytes(8).toString('hex'),
) {
  const lines: string[] = []
  const write = (_fields: unknown, line = String(_fields)) => void lines.push(line)
  Object.assign(log(), { warn: write, info: write })
  const [onRedis, onDatabase] = [redisStore(connection, name, 5, day), database.createStore(name, 5, day)]
  const store = withCircuitBreaker(onRedis, onDatabase, circuitBreaker())
  const timed = async () => {
    const begun = performance.now()
    const attempt = await store.consume('a')
    return { ...attempt, took: performance.now() - begun }
  }
  return { lines, store, onRedis, onDatabase, timed, name }
}

/** Thirty attempts, eight at a time: none is slow or fails, and of all no more than the quota are let in. */
export async function expectCountedByDatabase({ timed, onDatabase }: ReturnType<typeof storeWithBreaker>) {
  const attempts: Awaited<ReturnType<typeof timed>>[] = []
  for (let round = 0; round < 4; round++) attempts.push(...(await Promise.all(Array.from({ length: 8 }, timed))))
  expect(Math.max(...attempts.map(({ took }) => took))).toBeLessThan(500)
  // Only the first round, and one probe at most, waited for Redis.
  expect(attempts.filter(({ took }) => took > 250).length).toBeLessThanOrEqual(9)
  expect(attempts.filter(({ success }) => success)).toHaveLength(5)
  expect((await onDatabase.remaining('a')).remaining).toBe(0)
}

/** Redis is used again within a few seconds, and the log has told of one outage. */
export async function expectRedisUsedAgain({ store, onRedis, lines }: ReturnType<typeof storeWithBreaker>) {
  await expect
    .poll(
      async () => {
        await store.consume('b')
        return (await onRedis.remaining('b').catch(() => ({ remaining: 5 }))).remaining
      },
      { timeout: 15_000 },
    )
    .toBeLessThan(5)
  expect(lines).toEqual([expect.stringContaining('Redis unavailable'), expect.stringContaining('available again')])
}
