import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { connectByTcp } from '@/lib/rate-limit/redis-tcp'
import { needs } from '../../support/machine/needs'
import { freePort } from '../../support/machine/ports'
import {
  expectCountedByDatabase,
  expectRedisUsedAgain,
  restoreLog,
  storeWithBreaker,
  untilConnected,
} from '../../support/storage/circuit-breaker'
import { startSqliteStore, type TestStore } from '../../support/storage/rate-limit-stores'
import { redisAddress } from '../../support/storage/redis-address'
import { runOnRedis, startRedisCluster, startRedisSentinels } from '../../support/storage/redis-topologies'

test.describe('Redis Cluster and Sentinels', suite)

/** Their slots are on all three nodes. */
const keys = Array.from({ length: 12 }, (_, n) => `key-${n}`)

function suite() {
  needs('Redis', 'openssl')
  let database: TestStore
  test.beforeAll(async () => {
    database = await startSqliteStore()
  })
  test.afterEach(restoreLog)
  test.afterAll(() => database?.stop())

  /** A REDIS_URL that names one of them as a single server is not used, and the log says what to write. */
  async function expectAdvice(url: string, advice: RegExp) {
    const connection = connectByTcp(redisAddress(url))
    const reads = () => keys.map((key) => connection.read([key]).catch(String))
    await expect.poll(async () => (await Promise.all(reads())).join()).toMatch(advice)
    expect((await Promise.all(reads())).filter((answer) => !advice.test(String(answer)))).toEqual([])
    await expectCountedByDatabase(storeWithBreaker(connection, database))
    connection.close()
  }

  test('a Redis Cluster admits five of twenty simultaneous attempts for each key, and the database counts while a node is gone, or one is named as a single server', async () => {
    const cluster = await startRedisCluster()
    await expectAdvice(cluster.nodes[0].url, /one node of a Redis Cluster; write several, separated by commas/)
    const connection = connectByTcp(redisAddress(cluster.url))
    const setup = storeWithBreaker(connection, database)
    for (const key of keys) await untilConnected(setup, `${key}-before`)
    const twenty = (key: string) => Array.from({ length: 20 }, () => setup.onRedis.consume(key))
    const admitted = keys.map(async (key) => (await Promise.all(twenty(key))).filter(({ success }) => success).length)
    expect(await Promise.all(admitted)).toEqual(keys.map(() => 5))
    for (const node of cluster.nodes) expect(Number(await runOnRedis(node, null, 'DBSIZE'))).toBeGreaterThan(0)

    const [first, ...others] = cluster.nodes
    await first.kill('SIGKILL')
    await cluster.untilState('fail', others)
    await expectCountedByDatabase(setup)
    await first.launch()
    await cluster.untilState('ok')
    await expectRedisUsedAgain(setup)
    for (const key of keys) await untilConnected(setup, `${key}-after`)
    connection.close()
    await cluster.stop()
  })

  test('when the Sentinels replace the primary, the database counts meanwhile and where a Sentinel is named as a single server, and the new primary afterwards', async () => {
    const { primary, replica, sentinels, url, stop } = await startRedisSentinels()
    await expectAdvice(sentinels[0].url, /names a Sentinel.*redis\+sentinel:\/\/HOST/)
    // Out of reach at first.
    for (const sentinel of sentinels) await sentinel.kill('SIGKILL')
    const connection = connectByTcp(redisAddress(url))
    await expectCountedByDatabase(storeWithBreaker(connection, database))
    for (const sentinel of sentinels) await sentinel.launch()
    const setup = storeWithBreaker(connection, database)
    await untilConnected(setup)
    await primary.kill('SIGKILL')
    await expectCountedByDatabase(setup)
    await expectRedisUsedAgain(setup)
    expect(await runOnRedis(replica, null, 'ROLE')).toMatch(/^master,/)
    connection.close()
    await stop()
  })
}

test('a Redis that nothing listens for is reported with the reason of the system', async () => {
  const connection = connectByTcp(redisAddress(`redis://127.0.0.1:${await freePort()}`))
  await expect(connection.read(['a'])).rejects.toThrow(/^no connection: connect ECONNREFUSED 127\.0\.0\.1:\d+$/)
  connection.close()
})
