import {
  authenticate,
  createRecoveryCodes,
  register,
  registrationOptions,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
} from '../../support/accounts'
import { eventsOf } from '../../support/events'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { accountsJson } from '../../support/operator/accounts-command'
import { executeSql, readSql } from '../../support/storage/sql'

test('deleting an account removes its sessions, passkeys, recovery codes and events @storage @promise', async ({
  server,
  client,
  another,
  authenticator,
}) => {
  const { username, id, token } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const [code] = await createRecoveryCodes(client)
  const elsewhere = another()
  await signInWithPassword(elsewhere, username)
  const answer = await client.post('/api/i/delete')
  expect([answer.status, answer.text]).toEqual([204, ''])
  expect(answer.cookies.map(({ name, value }) => [name, value]).sort()).toEqual([
    ['latchkey-device', ''],
    ['latchkey-session', ''],
  ])
  for (const { attributes } of answer.cookies) expect(attributes).toMatchObject({ 'max-age': '0', path: '/' })
  expect(client.jar.size).toBe(0)
  for (const each of [another({ bearer: token }), elsewhere]) await expectSignedOut(each)
  expectAuthenticationFailed(await signInWithPassword(another(), username))
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, code))
  expectError(await authenticate(another(), authenticator), 404, 'unknown_passkey')
  // The next account of that name, as an operator may give it, inherits nothing.
  const successor = another()
  const next = await signUp(successor)
  await accountsJson(server, 'rename', next.id, username)
  expect(next.id).not.toBe(id)
  expect(await expectSignedIn(successor)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
  expect((await eventsOf(successor)).map(({ type }) => type)).toEqual(['username_changed', 'account_created'])
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, code))
  await expectSignedOut(another({ bearer: token }))
})

test('deleting one account leaves other accounts unchanged, and its registration challenges create nothing', async ({
  client,
  another,
  authenticator,
}) => {
  const neighbour = another()
  await signUp(neighbour)
  expect((await register(neighbour, authenticator)).status).toBe(201)
  await createRecoveryCodes(neighbour)
  const before = await expectSignedIn(neighbour)
  const { token } = await signUp(client)
  const options = await registrationOptions(client)
  expect((await client.post('/api/i/delete')).status).toBe(204)
  expect(await expectSignedIn(neighbour)).toEqual(before)
  expect((await authenticate(another(), authenticator)).status).toBe(200)
  for (const each of [another(), another({ bearer: token })])
    expectAuthenticationFailed(await each.post('/api/auth/register/verify', authenticator.create(options)))
})

test('of concurrent deletions of one account each answers 204 or 401 @storage', async ({ client, another }) => {
  const { token, stepUp, username } = await signUp(client)
  const clients = Array.from({ length: 8 }, () => another({ bearer: token, stepUp }))
  const answers = await Promise.all(clients.map((each) => each.post('/api/i/delete')))
  const statuses = answers.map(({ status }) => status)
  expect(statuses).toContain(204)
  for (const status of statuses) expect([204, 401]).toContain(status)
  expectAuthenticationFailed(await signInWithPassword(another(), username))
})

test('old events of an account are deleted before it, in batches, and the newest thousand of each kind with it', async ({
  server,
  client,
}) => {
  const { id } = await signUp(client)
  executeSql(
    server.databaseUrl,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
     INSERT INTO "Event" ("id", "userId", "type", "kind", "at")
     SELECT k."kind" || i, '${id}', k."type", k."kind", i
     FROM n, (SELECT 'changes' AS "kind", 'passkey_added' AS "type" UNION SELECT 'sign_ins', 'signed_in') k;
     CREATE TABLE "Left" AS SELECT * FROM "Event" WHERE FALSE;
     CREATE TRIGGER "remember" BEFORE DELETE ON "User" WHEN OLD."id" = '${id}'
       BEGIN INSERT INTO "Left" SELECT * FROM "Event" WHERE "userId" = OLD."id"; END`,
  )
  expect((await client.post('/api/i/delete')).status).toBe(204)
  const read = (sql: string) => readSql(server.databaseUrl, sql)
  // The sign-up is the newest.
  const left = `SELECT COUNT(*) || ' ' || "kind" || ' from ' || MIN("at") FROM "Left" GROUP BY "kind"`
  expect(read(`${left} ORDER BY "kind"`)).toEqual(['1000 changes from 5001', '1000 sign_ins from 5002'])
  expect(read(`SELECT COUNT(*) FROM "Event" WHERE "userId" = '${id}'`)).toEqual(['0'])
  executeSql(server.databaseUrl, 'DROP TRIGGER "remember"; DROP TABLE "Left"')
})
