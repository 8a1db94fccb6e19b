import { randomBytes } from 'node:crypto'
import { expect } from 'playwright/test'
import { log } from '@/lib/process/log'
import { circuitBreaker } from '@/lib/rate-limit/circuit-breaker'
import { withCircuitBreaker } from '@/lib/rate-limit/limiter'
import { type RedisConnection, redisStore } from '@/lib/rate-limit/redis-store'
import { remainingAttempts, type TestStore } from './rate-limit-stores'

const day = 86_400_000

const { warn, info } = log()

/** After each test that collects lines: the log is the process's. */
export const restoreLog = () => void Object.assign(log(), { warn, info })

/** A rate limiter on Redis that falls back to a database, and the lines it logs. */
export function storeWithBreaker(
  connection: RedisConnection,
  database: TestStore,
  name = randomBytes(8).toString('hex'),
) {
  const lines: string[] = []
  const write =
    (level: string) =>
    (fields: unknown, line = String(fields)) =>
      void lines.push(`${level}: ${line}`)
  Object.assign(log(), { warn: write('warn'), info: write('info') })
  const [onRedis, onDatabase] = [
    redisStore(connection, { name, max: 5, windowMilliseconds: day }),
    database.createStore(name, 5, day),
  ]
  const store = withCircuitBreaker(onRedis, onDatabase, circuitBreaker())
  const timed = async () => {
    const begun = performance.now()
    const attempt = await store.consume('a')
    return { ...attempt, took: performance.now() - begun }
  }
  return { lines, store, onRedis, onDatabase, timed, name }
}

/** The first request also connects and sends its script, which may take longer than the breaker allows. */
export const untilConnected = ({ onRedis }: ReturnType<typeof storeWithBreaker>, key = 'connected') =>
  expect.poll(() => onRedis.consume(key).then(Boolean, () => false)).toBe(true)

/** Makes 32 attempts, eight at a time: none is slow or fails, and no more than the limit succeed. */
export async function expectCountedByDatabase({ timed, onDatabase }: ReturnType<typeof storeWithBreaker>) {
  const attempts: Awaited<ReturnType<typeof timed>>[] = []
  for (let round = 0; round < 4; round++) attempts.push(...(await Promise.all(Array.from({ length: 8 }, timed))))
  expect(Math.max(...attempts.map(({ took }) => took))).toBeLessThan(2_000)
  // Only the first round and one probe wait for Redis; a busy machine makes others slow, but never all.
  expect(attempts.filter(({ took }) => took > 250).length).toBeLessThanOrEqual(24)
  expect(attempts.filter(({ success }) => success)).toHaveLength(5)
  expect(await remainingAttempts(onDatabase, 'a')).toBe(0)
}

/** Waits until Redis is used again; the log says once that the breaker opened and once that it closed. */
export async function expectRedisUsedAgain({ store, onRedis, lines }: ReturnType<typeof storeWithBreaker>) {
  await expect
    .poll(
      async () => {
        await store.consume('b')
        return remainingAttempts(onRedis, 'b').catch(() => 5)
      },
      { timeout: 15_000 },
    )
    .toBeLessThan(5)
  expect(lines).toEqual([expect.stringMatching(/^warn: .*Redis/), expect.stringMatching(/^info: .*Redis/)])
}
