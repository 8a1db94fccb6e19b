import '../../support/unit/environment'
import { createServer } from 'node:net'
import { expect, test } from 'playwright/test'
import { connectByTcp } from '@/lib/rate-limit/redis-tcp'
import { listenLocally } from '../../support/network/listen-locally'
import { expectCountedByDatabase, restoreLog, storeWithBreaker } from '../../support/storage/circuit-breaker'
import { startSqliteStore, type TestStore } from '../../support/storage/rate-limit-stores'
import { redisAddress } from '../../support/storage/redis-address'

let database: TestStore
test.beforeAll(async () => {
  database = await startSqliteStore()
})
test.afterEach(restoreLog)
test.afterAll(() => database?.stop())

const replies = {
  'another protocol': 'HTTP/1.1 400 Bad Request\r\n\r\n',
  'a word': '+OK\r\n',
  'a list of nulls': '*2\r\n$-1\r\n$-1\r\n',
}
for (const [what, bytes] of Object.entries(replies)) {
  test(`the database counts when Redis answers with ${what}`, async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', () => socket.write(bytes))
    })
    const { port, close } = await listenLocally(server)
    const connection = connectByTcp(redisAddress(`redis://127.0.0.1:${port}`))
    await expectCountedByDatabase(storeWithBreaker(connection, database))
    connection.close()
    await close()
  })
}

const wrong: unknown[] = ['OK', null, [], [null, 5], [1], [1, null], ['4', 5], [6, 5], [4, 7], { 0: 4, 1: 5 }]
for (const answer of wrong) {
  test(`the Redis store rejects the answer ${JSON.stringify(answer)}`, async () => {
    const setup = storeWithBreaker(
      { name: 'Redis', run: async () => answer, read: async () => answer, remove: async () => 0, close() {} },
      database,
    )
    await expect(setup.onRedis.consume('a')).rejects.toThrow('unexpected answer')
    await expectCountedByDatabase(setup)
  })
}

for (const answer of ['OK', null, [], [1], ['a', 1], [1.5, 1]]) {
  test(`the Redis store rejects the counts ${JSON.stringify(answer)}, and the database says when to try again`, async () => {
    const run = async () => [-1, 5]
    const setup = storeWithBreaker(
      { name: 'Redis', run, read: async () => answer, remove: async () => 0, close() {} },
      database,
    )
    const attempt = await setup.onRedis.consume('a')
    await expect(attempt.retryAt()).rejects.toThrow('unexpected answer')
    expect(await setup.store.retryAt('a')).toBeLessThanOrEqual(Date.now())
  })
}
