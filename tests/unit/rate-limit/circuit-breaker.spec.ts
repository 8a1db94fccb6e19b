import '../../support/unit/environment'
import { setImmediate as turn } from 'node:timers/promises'
import { Redis as Direct } from 'ioredis'
import { expect, test } from 'playwright/test'
import { circuitBreaker } from '@/lib/rate-limit/circuit-breaker'
import { connectByRest } from '@/lib/rate-limit/redis-rest'
import { connectByTcp } from '@/lib/rate-limit/redis-tcp'
import { needs } from '../../support/machine/needs'
import {
  expectCountedByDatabase,
  expectOpened,
  expectRedisUsedAgain,
  restoreLog,
  storeWithBreaker,
  untilConnected,
} from '../../support/storage/circuit-breaker'
import { remainingAttempts, startSqliteStore, type TestStore } from '../../support/storage/rate-limit-stores'
import { type Redis, startRedis } from '../../support/storage/redis'
import { redisAddress } from '../../support/storage/redis-address'
import { startUpstash } from '../../support/storage/upstash'

const day = 86_400_000

/** The ways in which Redis becomes unavailable, and how each ends: the breaker notices silence, each protocol tells a failure. */
const hangs = {
  what: 'hangs',
  begin: (server: Redis) => server.signal('SIGSTOP') as unknown,
  end: (server: Redis) => server.signal('SIGCONT') as unknown,
}
const isKilled = {
  what: 'is killed',
  begin: (server: Redis) => server.kill('SIGKILL') as unknown,
  end: (server: Redis) => server.launch() as unknown,
}
const faults = [
  { protocol: 'TCP', ...hangs },
  { protocol: 'TCP', ...isKilled },
  { protocol: 'REST', ...isKilled },
]

test('a circuit breaker is open after a failure, half-open while one call probes, and closed once that succeeds', async () => {
  const breaker = circuitBreaker()
  const fallback = async () => {}
  expect(breaker.state()).toBe('closed')
  await breaker(() => Promise.reject(new Error('away')), fallback)
  expect(breaker.state()).toBe('open')
  let answer = () => {}
  const hanging = () =>
    new Promise<void>((resolve) => {
      answer = resolve
    })
  const probe = () => {
    void breaker(hanging, fallback)
    return breaker.state()
  }
  await expect.poll(probe).toBe('half-open')
  answer()
  await expect.poll(() => breaker.state()).toBe('closed')
})

test('time in which the process itself was blocked does not count as silence of Redis', async () => {
  const breaker = circuitBreaker()
  const answered = async () => {
    await turn()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    // As many turns of the event loop as a script that Redis does not know yet takes to be sent and answered.
    for (let turns = 0; turns < 3; turns++) await turn()
    return 'Redis'
  }
  expect(await breaker(answered, async () => 'the database')).toBe('Redis')
  expect(breaker.state()).toBe('closed')
})

test.describe('a Redis that is unavailable', suite)

function suite() {
  needs('Redis')
  let database: TestStore
  test.beforeAll(async () => {
    database = await startSqliteStore()
  })
  test.afterEach(restoreLog)
  test.afterAll(() => database?.stop())

  for (const { protocol, what, begin, end } of faults)
    test(`when Redis over ${protocol} ${what}, the database counts, and Redis again afterwards`, async () => {
      const server = await startRedis()
      const front = protocol === 'REST' ? await startUpstash(server.url) : null
      const connection = front ? connectByRest(front.url, front.token) : connectByTcp(redisAddress(server.url))
      const setup = storeWithBreaker(connection, database)
      await untilConnected(setup)
      expect((await setup.store.consume('warm')).success).toBe(true)
      await begin(server)
      await expectCountedByDatabase(setup)
      await end(server)
      await expectRedisUsedAgain(setup)
      connection.close()
      await front?.stop()
      await server.kill('SIGKILL')
    })

  test('a Redis that was unavailable at the start is used once it is available', async () => {
    const server = await startRedis()
    await server.kill('SIGKILL')
    const connection = connectByTcp(redisAddress(server.url))
    const setup = storeWithBreaker(connection, database)
    await expectCountedByDatabase(setup)
    await server.launch()
    await expectRedisUsedAgain(setup)
    connection.close()
    await server.kill('SIGKILL')
  })

  test('an attempt that Redis has rejected stays rejected when Redis then hangs', async () => {
    const server = await startRedis()
    const connection = connectByTcp(redisAddress(server.url))
    const read = (keys: string[]) => {
      server.signal('SIGSTOP')
      return connection.read(keys)
    }
    const setup = storeWithBreaker({ ...connection, read }, database)
    const { store, onRedis, onDatabase } = setup
    for (let attempt = 0; attempt < 5; attempt++) expect((await onRedis.consume('a')).success).toBe(true)
    const { success, retryAt } = await store.consume('a')
    const toldAt = await retryAt()
    expectOpened(setup)
    expect(success).toBe(false)
    expect(toldAt).toBeLessThanOrEqual(Date.now())
    expect(await remainingAttempts(onDatabase, 'a')).toBe(5)
    connection.close()
    await server.kill('SIGKILL')
  })

  test('an attempt is refunded in the store that counted it, even if the other one counts by then', async () => {
    const server = await startRedis()
    const connection = connectByTcp(redisAddress(server.url))
    const setup = storeWithBreaker(connection, database)
    const { store, onRedis, onDatabase } = setup
    const first = await store.consume('a')
    server.signal('SIGSTOP')
    const second = await store.consume('a')
    await first.refund()
    expect(await remainingAttempts(onDatabase, 'a')).toBe(4)
    server.signal('SIGCONT')
    await expectRedisUsedAgain(setup)
    const counted = await remainingAttempts(onRedis, 'a')
    await second.refund()
    expect(await remainingAttempts(onDatabase, 'a')).toBe(5)
    expect(await remainingAttempts(onRedis, 'a')).toBe(counted)
    connection.close()
    await server.kill('SIGKILL')
  })

  test('a reset in Redis deletes only the two keys of its bucket, without a scan', async () => {
    const server = await startRedis()
    const [connection, direct] = [connectByTcp(redisAddress(server.url)), new Direct(server.url)]
    const { onRedis, name } = storeWithBreaker(connection, database)
    const window = Math.floor(Date.now() / day)
    const key = (whose: string, of: number) => `latchkey:${name}:{${whose}}:${of}`
    const others = [key('a', window - 2), key('a:b', window), key('ab', window), 'someone-elses']
    for (const each of [...others, key('a', window - 1)]) await direct.set(each, 1)
    await (await onRedis.consume('a')).reset()
    expect((await direct.keys('*')).sort()).toEqual(others.sort())
    const commands = String(await direct.info('commandstats'))
    expect(commands).toContain('cmdstat_del:calls=1,')
    expect(commands).not.toContain('cmdstat_scan')
    connection.close()
    direct.disconnect()
    await server.kill('SIGKILL')
  })
}
