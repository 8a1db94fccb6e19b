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
import { expectAuthenticationFailed, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { executeSql, readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

const remove = (client: Client) => client.post('/api/i/password/remove')

test('removing the password ends the sessions that it opened, except the one that asks @promise', async ({
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

test('removing the password of an account without one changes nothing, and writes nothing to it', async ({
  server,
  client,
  authenticator,
}) => {
  const { id } = await signUpWithPasskey(client, authenticator)
  executeSql(
    server.databaseUrl,
    `CREATE TRIGGER "planted-${id}" BEFORE UPDATE ON "User" WHEN OLD."id" = '${id}'
     BEGIN SELECT RAISE(ABORT, 'planted'); END`,
  )
  const answer = await remove(client)
  executeSql(server.databaseUrl, `DROP TRIGGER "planted-${id}"`)
  expect(answer.status).toBe(204)
  expect((await eventsOf(client)).map(({ type }) => type)).not.toContain('password_removed')
})

test('of a concurrent removal of the password and of the only passkey exactly one succeeds @storage', async ({
  client,
  another,
  authenticator,
}) => {
  for (let round = 0; round < 2; round += 1) {
    const { username } = await signUp(client)
    const { body } = await register(client, authenticator)
    const answers = await Promise.all([remove(client), client.post('/api/i/passkeys/remove', { id: body.passkey.id })])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    expect((await signInWithPassword(another(), username)).status).toBe(answers[0].status === 204 ? 401 : 200)
  }
})

test('on PostgreSQL, a sign-in whose password was verified just before its removal opens no session', {
  tag: '@networked',
}, async ({ start }) => {
  // A hash of this cost takes a while, within which the removal lands.
  const server = await start({ env: { BCRYPT_COST: '12', REDIS_URL: undefined } })
  const client = new Client(server)
  const { username } = await signUp(client)
  await register(client, new Authenticator(server.origin))

  const late = new Client(server)
  const signingIn = signInWithPassword(late, username, PASSWORD)
  // Its attempt has been counted: the hash has been read by then, and is being compared.
  const counted = `SELECT count(*) FROM "RateLimit" WHERE "key" LIKE 'password%'`
  await expect.poll(() => readSql(server.databaseUrl, counted), { intervals: [20] }).not.toEqual(['0'])
  expect((await remove(client)).status).toBe(204)
  // Rejected, or revoked if it was opened before.
  expect([401, 200]).toContain((await signingIn).status)
  await expectSignedOut(late)
})
