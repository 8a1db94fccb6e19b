import { randomBytes } from 'node:crypto'
import { expect } from 'playwright/test'
import { log } from '@/lib/process/log'
import { circuitBreaker, withCircuitBreaker } from '@/lib/rate-limit/circuit-breaker'
import { type RedisConnection, redisStore } from '@/lib/rate-limit/redis-store'
import type { RateLimitStore } from '@/lib/rate-limit/store'
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
  const calls = { ofRedis: 0 }
  const counted: RateLimitStore = {
    ...onRedis,
    consume(key) {
      calls.ofRedis += 1
      return onRedis.consume(key)
    },
  }
  const store = withCircuitBreaker(counted, onDatabase, circuitBreaker())
  const timed = async () => {
    const begun = performance.now()
    const attempt = await store.consume('a')
    return { ...attempt, took: performance.now() - begun }
  }
  return { lines, store, calls, onRedis, onDatabase, timed, name }
}

/** The first request also connects and sends its script, which may take longer than the breaker allows. */
export const untilConnected = ({ onRedis }: ReturnType<typeof storeWithBreaker>, key = 'connected') =>
  expect.poll(() => onRedis.consume(key).then(Boolean, () => false)).toBe(true)

/** Makes 32 attempts, eight at a time: none hangs or fails, few wait for Redis, and no more than the limit succeed. */
export async function expectCountedByDatabase(setup: ReturnType<typeof storeWithBreaker>) {
  const { timed, calls, onDatabase } = setup
  const [before, begun] = [calls.ofRedis, performance.now()]
  const attempts: Awaited<ReturnType<typeof timed>>[] = []
  for (let round = 0; round < 4; round++) attempts.push(...(await Promise.all(Array.from({ length: 8 }, timed))))
  // The bound is for what hangs: how long the database takes is the machine's business.
  expect(Math.max(...attempts.map(({ took }) => took))).toBeLessThan(60_000)
  const probes = Math.ceil((performance.now() - begun) / 1000)
  expect(calls.ofRedis - before).toBeLessThanOrEqual(8 + probes)
  expect(attempts.filter(({ success }) => success)).toHaveLength(5)
  expect(await remainingAttempts(onDatabase, 'a')).toBe(0)
  expectOpened(setup)
}

const levelsOf = (lines: string[]) => lines.map((line) => line.replace(/: .*Redis.*/, ''))

/**
 * The log says when the breaker opened and when it closed, in turn. How often is not the test's: a Redis that gets no
 * processor for a third of a second counts as unavailable.
 */
function expectInTurn(lines: string[]) {
  expect(levelsOf(lines)).toEqual(lines.map((_, index) => (index % 2 === 0 ? 'warn' : 'info')))
}

/** The log says last that the database counts. */
export function expectOpened({ lines }: ReturnType<typeof storeWithBreaker>) {
  expectInTurn(lines)
  expect(lines.at(-1)).toContain('Redis unavailable')
}

/** Waits until Redis is used again, and the log says so. */
export async function expectRedisUsedAgain({ store, onRedis, lines }: ReturnType<typeof storeWithBreaker>) {
  await expect
    .poll(async () => {
      await store.consume('b')
      return levelsOf(lines).at(-1)
    })
    .toBe('info')
  expectInTurn(lines)
  expect(await remainingAttempts(onRedis, 'b')).toBeLessThan(5)
}
