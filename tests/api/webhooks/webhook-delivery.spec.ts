import { randomName, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { expect } from '../../support/fixtures'
import { type Receiver, startReceiver } from '../../support/network/receiver'
import { command, hooksAbout, newSecret, test, verify, waiting } from '../../support/network/webhooks'
import type { Server } from '../../support/server/server'
import { executeSql, readSql } from '../../support/storage/sql'

/** Has `milliseconds` pass for all that waits in the outbox, or for what meets the condition. */
const pass = (server: Server, milliseconds: number, condition = 'TRUE') =>
  executeSql(server.databaseUrl, `UPDATE "Delivery" SET "dueAt" = "dueAt" - ${milliseconds} WHERE ${condition}`)

/** The ids of what meets the condition. */
const stored = (server: Server, condition: string) =>
  readSql(server.databaseUrl, `SELECT "id" FROM "Delivery" WHERE ${condition}`)

/** A server of the test's own that sends its webhooks to this receiver. */
async function withReceiver(
  start: (options: { env: Record<string, string>; beside?: Server }) => Promise<Server>,
  receiver: Receiver,
) {
  const secret = newSecret()
  const env = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secret }
  const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '100000', ...env } })
  return { server, env, secret }
}

test.describe('a receiver', () => {
  test('a receiver that is away for an hour gets everything when it is back, under the same ids, and after 410 nothing until an operator retries', async ({
    start,
  }) => {
    // Each attempt has its own error, which says whether it has ended.
    const receiver = await startReceiver((_, response) => response.writeHead(500 + receiver.received.length).end())
    const hooked = await withReceiver(start, receiver)
    const { id } = await signUp(new Client(hooked.server))
    for (const [index, wait] of [5_000, 60_000, 600_000].entries()) {
      const attempt = index + 1
      const failed = `"attempts" = ${attempt} AND "error" = 'answered ${500 + attempt}'`
      // Or a later one: a slow machine looks when the wait is over.
      await expect.poll(() => stored(hooked.server, `${failed} OR "attempts" > ${attempt}`)).toHaveLength(1)
      pass(hooked.server, wait, failed)
    }
    await expect.poll(() => stored(hooked.server, `"error" = 'answered 504'`)).toHaveLength(1)
    const attempted = { attempts: 4, error: 'answered 504', account: id, type: 'account.created' }
    expect(await waiting(hooked)).toMatchObject([{ ...attempted, receiver: receiver.url }])
    receiver.answer(204)
    await signUp(new Client(hooked.server))
    await receiver.until(5)
    await expect.poll(() => stored(hooked.server, 'TRUE')).toHaveLength(1)
    expect(receiver.received).toHaveLength(5)
    pass(hooked.server, 3_600_000)
    await receiver.until(6)
    await expect.poll(() => waiting(hooked)).toEqual([])
    const hooks = hooksAbout(receiver.received, hooked.secret, id)
    expect(hooks).toHaveLength(5)
    expect(new Set(hooks.map((hook) => JSON.stringify(hook))).size).toBe(1)

    receiver.answer(410)
    await signUp(new Client(hooked.server))
    await expect.poll(() => stored(hooked.server, `"error" LIKE 'answered 410%'`)).toHaveLength(1)
    const [failed] = await waiting(hooked)
    expect(failed).toMatchObject({ attempts: 1, nextAt: null })
    await signUp(new Client(hooked.server))
    expect(await waiting(hooked)).toEqual([failed])
    receiver.answer(204)
    await command(hooked, ['deliveries', 'retry', failed.id])
    await receiver.until(8)
    await expect.poll(() => waiting(hooked)).toEqual([])
    await receiver.stop()
  })

  test('a receiver that hangs slows no request, and SIGTERM leaves what it was sent to the next process', async ({
    start,
  }) => {
    const receiver = await startReceiver(() => {})
    const hooked = await withReceiver(start, receiver)
    for (let n = 0; n < 6; n += 1) await signUp(new Client(hooked.server))
    await receiver.until(4)
    expect(await hooked.server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    const left: { attempts: number; nextAt: string }[] = await waiting(hooked)
    expect(left.map(({ attempts }) => attempts)).toEqual(Array(6).fill(0))
    for (const { nextAt } of left) expect(Date.parse(nextAt)).toBeLessThanOrEqual(Date.now())
    const before = receiver.received.length
    receiver.answer(204)
    await hooked.server.restart()
    await receiver.until(before + 6)
    await expect.poll(() => waiting(hooked)).toEqual([])
    await receiver.stop()
  })

  test('a receiver at a link-local address is not called @promise', async ({ start }) => {
    const env = { WEBHOOK_URL: 'http://169.254.169.254/latest', WEBHOOK_SECRET: newSecret() }
    const server = await start({ env })
    await signUp(new Client(server))
    await expect.poll(() => waiting({ server, env })).toMatchObject([{ error: expect.stringMatching(/never called$/) }])
  })
})

test('a process that is killed between commit and send loses no webhook @storage @promise', async ({ start }) => {
  const receiver = await startReceiver()
  const hooked = await withReceiver(start, receiver)
  const made: string[] = []
  const signingUp = Array.from({ length: 8 }, async () => {
    for (;;) {
      const answer = await signUp(new Client(hooked.server)).catch(() => null)
      if (!answer) return
      made.push(answer.id)
      if (made.length === 12) await hooked.server.kill('SIGKILL')
    }
  })
  await Promise.all(signingUp)
  await hooked.server.restart()
  // What the killed process had claimed.
  pass(hooked.server, 30_000)
  const webhooks = () => receiver.received.map((one) => verify(hooked.secret, one))
  await expect.poll(() => made.filter((id) => !webhooks().some(({ data }) => data.id === id))).toEqual([])
  const idsByAccount = new Map(webhooks().map(({ id, data }) => [data.id, id]))
  for (const { id, data } of webhooks()) expect(idsByAccount.get(data.id)).toBe(id)
  await receiver.stop()
})

test('on PostgreSQL, two instances send each webhook once', { tag: '@networked' }, async ({ start }) => {
  const receiver = await startReceiver()
  const hooked = await withReceiver(start, receiver)
  await start({ beside: hooked.server, env: hooked.env })
  const names = Array.from({ length: 60 }, () => randomName())
  await command(hooked, ['import', '-'], names.map((username) => JSON.stringify({ username })).join('\n'))
  await receiver.until(60)
  await expect.poll(() => waiting(hooked)).toEqual([])
  const webhooks = receiver.received.map((one) => verify(hooked.secret, one))
  expect(webhooks).toHaveLength(60)
  expect(new Set(webhooks.map(({ data }) => data.username))).toEqual(new Set(names))
  await receiver.stop()
})

test.describe('/api/deliver', () => {
  test('/api/deliver is for whoever has CRON_SECRET, and limits wrong secrets by address @promise', async ({
    start,
  }) => {
    const cron = 'a-secret-of-a-cron-job'
    const server = await start({ env: { CRON_SECRET: cron, RATE_LIMIT_ADDRESS_MAX: '4' } })
    const call = (method: string, bearer?: string) =>
      new Client(server, bearer === undefined ? {} : { bearer }).request(method, '/api/deliver')
    for (const method of ['GET', 'POST'])
      for (const wrong of [undefined, 'a-secret-of-a-cron-joc'])
        expectError(await call(method, wrong), 401, 'authentication_failed')
    expectError(await call('POST', 'wrong'), 429, 'too_many_attempts')
    for (const method of ['GET', 'POST']) {
      const answer = await call(method, cron)
      expect([answer.status, answer.body]).toEqual([200, { delivered: 0, failed: 0, waiting: 0 }])
    }
  })

  test('/api/deliver without CRON_SECRET removes what has expired on Vercel, once an hour for anybody, and tells nothing', {
    tag: '@networked',
  }, async ({ start }) => {
    const migrated = await start()
    const server = await start({ beside: migrated, env: { VERCEL: '1' } })
    executeSql(server.databaseUrl, `INSERT INTO "ConsumedToken" ("id", "expiresAt") VALUES ('expired', 1)`)
    const calls = await Promise.all(
      ['198.51.100.1', '203.0.113.1', '2001:db8::1'].map((address) =>
        new Client(server, { headers: { 'X-Forwarded-For': address } }).get('/api/deliver'),
      ),
    )
    expect(calls.map(({ status, text }) => [status, status === 204 ? text : '']).sort()).toEqual([
      [204, ''],
      [429, ''],
      [429, ''],
    ])
    expect(readSql(server.databaseUrl, `SELECT "id" FROM "ConsumedToken" WHERE "id" = 'expired'`)).toEqual([])
    expectError(await new Client(migrated).get('/api/deliver'), 404, 'not_found')
  })

  test('/api/deliver sends what is left and removes what has expired where no process keeps running', {
    tag: '@networked',
  }, async ({ start }) => {
    const receiver = await startReceiver(500)
    const migrated = await start()
    const [secret, cron] = [newSecret(), 'a-secret-of-a-cron-job']
    const env = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secret, CRON_SECRET: cron }
    const server = await start({ beside: migrated, env: { ...env, VERCEL: '1' } })
    const deliver = async () => (await new Client(server, { bearer: cron }).get('/api/deliver')).body
    const { id } = await signUp(new Client(server))
    // After the response, in the same process.
    await receiver.until(1)
    await expect.poll(() => stored(server, `"attempts" = 1 AND "error" = 'answered 500'`)).toHaveLength(1)
    // Nothing else looks here, so that the attempt stays the first, however long this takes.
    pass(server, -60_000)
    executeSql(server.databaseUrl, `INSERT INTO "ConsumedToken" ("id", "expiresAt") VALUES ('expired', 1)`)
    expect(await deliver()).toEqual({ delivered: 0, failed: 0, waiting: 1 })
    expect(readSql(server.databaseUrl, `SELECT "id" FROM "ConsumedToken" WHERE "id" = 'expired'`)).toEqual([])
    pass(server, 65_000)
    expect(await deliver()).toEqual({ delivered: 0, failed: 1, waiting: 1 })
    receiver.answer(204)
    // A process that lives would have looked by now.
    await command({ server, env }, ['disable', `id:${id}`])
    pass(server, 60_000)
    expect(receiver.received).toHaveLength(2)
    expect(await deliver()).toEqual({ delivered: 2, failed: 0, waiting: 0 })
    expect(hooksAbout(receiver.received, secret, id)).toHaveLength(4)
    await receiver.stop()
  })
})
