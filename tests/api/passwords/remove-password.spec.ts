import { DatabaseSync } from '@photostructure/sqlite'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  authenticate,
  createRecoveryCodes,
  PASSWORD,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import type { Server } from '../../support/server/server'
import { searchPath } from '../../support/storage/postgres-programs'
import { executeSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

const remove = (client: Client) => client.post('/api/i/password/remove')

test('removing the password ends the sessions that it opened, except the one that asks', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUp(client)
  await register(client, authenticator)
  const [code] = await createRecoveryCodes(client)
  const [byPassword, byPasskey, byCode] = [another(), another(), another()]
  await signInWithPassword(byPassword, username)
  await authenticate(byPasskey, authenticator)
  await signInWithRecoveryCode(byCode, username, code)

  expect((await remove(client)).status).toBe(204)
  await expectSignedOut(byPassword)
  for (const one of [client, byPasskey, byCode]) expect((await expectSignedIn(one)).hasPassword).toBe(false)
  expectAuthenticationFailed(await signInWithPassword(another(), username))
  expect((await authenticate(another(), authenticator)).status).toBe(200)
  expect((await eventsOf(client)).map(({ type }) => type)).toContain('password_removed')
})

test('removing the password of an account without one changes nothing @storage', async ({ client, authenticator }) => {
  await signUpWithPasskey(client, authenticator)
  expect((await remove(client)).status).toBe(204)
  expect((await eventsOf(client)).map(({ type }) => type)).not.toContain('password_removed')
})

test('removing the password of an account without one writes nothing to it', async ({ start }) => {
  const server = await start()
  const client = new Client(server)
  await signUpWithPasskey(client, new Authenticator(server.origin))
  executeSql(
    `file:${server.database}`,
    `CREATE TRIGGER "lock" BEFORE UPDATE ON "User" BEGIN SELECT RAISE(ABORT, 'planted'); END`,
  )
  expect((await remove(client)).status).toBe(204)
})

test('a session without a step-up token cannot remove the password', async ({ client, another, authenticator }) => {
  const { token } = await signUp(client)
  await register(client, authenticator)
  expectError(await remove(another({ bearer: token })), 403, 'reauthentication_required')
  expect((await expectSignedIn(client)).hasPassword).toBe(true)
})

test('of a concurrent removal of the password and of the only passkey exactly one succeeds @storage', async ({
  client,
  another,
  authenticator,
}) => {
  for (let round = 0; round < 3; round += 1) {
    const { username } = await signUp(client)
    const { body } = await register(client, authenticator)
    const answers = await Promise.all([remove(client), client.post('/api/i/passkeys/remove', { id: body.passkey.id })])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    expect((await signInWithPassword(another(), username)).status).toBe(answers[0].status === 204 ? 401 : 200)
  }
})

/** Waits until the attempt of a sign-in has been counted: its hash has been read by then, and is being compared. */
async function untilCounted({ database, databaseUrl }: Server) {
  const sql = `SELECT count(*) FROM "RateLimit" WHERE "key" LIKE 'password%'`
  if (databaseUrl.startsWith('postgresql:')) {
    const [connectionString, options] = [databaseUrl, searchPath(databaseUrl)]
    const connection = await new PrismaPg({ connectionString, options }).connect()
    const count = async () => Number((await connection.queryRaw({ sql, args: [], argTypes: [] })).rows[0]?.[0])
    await expect.poll(count, { intervals: [20] }).toBeGreaterThan(0)
    return connection.dispose()
  }
  const connection = new DatabaseSync(database)
  const count = () => Number(Object.values(connection.prepare(sql).get() ?? {})[0])
  await expect.poll(count, { intervals: [20] }).toBeGreaterThan(0)
  connection.close()
}

test('a sign-in whose password was verified just before its removal opens no session @storage', async ({ start }) => {
  // A hash of this cost takes a while, within which the removal lands.
  const server = await start({ env: { BCRYPT_COST: '12', REDIS_URL: undefined } })
  const client = new Client(server)
  const { username } = await signUp(client)
  await register(client, new Authenticator(server.origin))

  const late = new Client(server)
  const signingIn = signInWithPassword(late, username, PASSWORD)
  await untilCounted(server)
  expect((await remove(client)).status).toBe(204)
  // Rejected, or revoked if it was opened before.
  expect([401, 200]).toContain((await signingIn).status)
  await expectSignedOut(late)
})
