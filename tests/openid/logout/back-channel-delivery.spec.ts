import { readFileSync } from 'node:fs'
import { decodeJwt } from 'jose'
import { signUp } from '../../support/accounts'
import { needs } from '../../support/machine/needs'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { makeCertificate } from '../../support/network/certificate'
import { startReceiver } from '../../support/network/receiver'
import { type Listening, rowsOf, sentTo, test } from '../../support/openid/back-channel'
import { CALLBACK, expect, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { logLines } from '../../support/server/server-log'
import { executeSql, readSql } from '../../support/storage/sql'

const postpone = (server: Server, { receiver }: Listening) =>
  executeSql(
    server.databaseUrl,
    `UPDATE "Delivery" SET "dueAt" = "dueAt" + 3600000 WHERE "receiver" = '${receiver.url}'`,
  )

/** Lets the next attempt of what waits for the app begin. */
const hasten = (server: Server, { receiver }: Listening) =>
  executeSql(
    server.databaseUrl,
    `UPDATE "Delivery" SET "dueAt" = 0 WHERE "receiver" = '${receiver.url}' AND "dueAt" IS NOT NULL AND "error" IS NOT NULL`,
  )

test('a receiver that answers 400 gets no other attempt', async ({ client, listening, server }) => {
  listening.receiver.answer(400)
  await signUp(client)
  await new Flow(client, listening).tokens()
  await client.post('/api/signout')
  await expect.poll(() => rowsOf(server, listening)).toEqual(['answered 400: the app rejects the logout token'])
  const due = `SELECT "id" FROM "Delivery" WHERE "receiver" = '${listening.receiver.url}' AND "dueAt" IS NOT NULL`
  expect(readSql(server.databaseUrl, due)).toEqual([])
  expect(listening.receiver.received).toHaveLength(1)
})

test('a back channel whose certificate nobody vouches for gets nothing, and is a counted line in the security log', async ({
  client,
  server,
}) => {
  needs('openssl')
  const { certFile, keyFile } = makeCertificate(temporaryFolder('back-channel'), ['127.0.0.1'])
  const tls = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  const receiver = await startReceiver(200, { tls })
  const app = await registerApp(server, CALLBACK, '--back-channel', receiver.url)
  const { id } = await signUp(client)
  await new Flow(client, app).tokens()
  await client.post('/api/signout')
  const line = { event: 'receiver_untrusted', outcome: 'failure', account: id, app: app.id, count: 1 }
  await expect
    .poll(() => logLines(server.output()).filter(({ event }) => event === line.event))
    .toMatchObject([{ ...line, reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' }])
  expect(receiver.received).toEqual([])
  await receiver.stop()
})

test('a redirect of a receiver is not followed, and it gets another token under the same jti', async ({
  client,
  listening,
  listen,
  server,
}) => {
  const elsewhere = await listen()
  listening.receiver.answer((_, response) => response.writeHead(307, { Location: elsewhere.receiver.url }).end())
  await signUp(client)
  await new Flow(client, listening).tokens()
  await client.post('/api/signout')
  await expect.poll(() => rowsOf(server, listening)).toEqual(['answered 307; redirects are not followed'])
  listening.receiver.answer(200)
  hasten(server, listening)
  await listening.receiver.until(2)
  await expect.poll(() => rowsOf(server, listening)).toEqual([])
  const [first, second] = sentTo(listening).map((token) => decodeJwt(token))
  expect(second?.jti).toBe(first?.jti)
  expect(elsewhere.receiver.received).toEqual([])
})

test('a receiver that the app no longer has gets nothing', async ({ client, listening, listen, server }) => {
  const next = await listen()
  listening.receiver.answer(500)
  next.receiver.answer(503)
  await signUp(client)
  await new Flow(client, listening).tokens()
  await client.post('/api/signout')
  await expect.poll(() => rowsOf(server, listening)).toEqual(['answered 500'])
  await accountsJson(server, 'app', 'change', listening.id, '--back-channel', next.receiver.url)
  hasten(server, listening)
  await expect.poll(() => rowsOf(server, next)).toEqual(['answered 503'])
  // The next attempt comes when the test wants it.
  postpone(server, next)
  await accountsJson(server, 'app', 'change', listening.id, '--no-back-channel')
  hasten(server, next)
  await expect.poll(() => rowsOf(server, next)).toEqual(['the app has no back-channel URI any more'])
  for (const { receiver } of [listening, next]) expect(receiver.received).toHaveLength(1)
})
