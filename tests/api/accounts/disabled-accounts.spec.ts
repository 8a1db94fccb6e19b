import {
  authenticate,
  createRecoveryCodes,
  randomName,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  WRONG_PASSWORD,
} from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { eventsOf, notableEventsOf } from '../../support/events'
import {
  expectAuthenticationFailed,
  expectError,
  expectNoSession,
  expectSignedIn,
  expectSignedOut,
} from '../../support/expectations'
import { expect } from '../../support/fixtures'
import { accounts, accountsJson } from '../../support/operator/accounts-command'
import { logLines } from '../../support/server/server-log'
import { takeLock } from '../../support/storage/database-lock'
import { executeSql } from '../../support/storage/sql'
import type { Authenticator } from '../../support/webauthn/authenticator'
import { accessCookieOf, askForwardAuth, test } from '../../support/your-app/sibling-apps'

function expectDisabled(answer: Answer) {
  expectError(answer, 403, 'account_disabled')
  expectNoSession(answer)
  expect(answer.text).not.toContain('stepUp')
}

/** An account with a password, a passkey and recovery codes. */
async function withEveryWayIn(client: Client, authenticator: Authenticator) {
  const account = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  return { ...account, codes: await createRecoveryCodes(client) }
}

test('disabling an account ends its sessions at once, and enabling it revives none', async ({
  server,
  client,
  another,
}) => {
  const { id, username } = await signUp(client)
  const elsewhere = another()
  await signInWithPassword(elsewhere, username)
  const stranger = another()
  await signUp(stranger)

  expect(await accountsJson(server, 'disable', username)).toMatchObject({ user: { id, username } })
  expect(await accountsJson(server, 'show', username)).toMatchObject({ disabled: true, sessions: [] })
  for (const one of [client, elsewhere]) await expectSignedOut(one)
  expectError(await client.post('/api/token'), 401, 'not_signed_in')
  await expectSignedIn(stranger)

  expect(await accountsJson(server, 'enable', username)).toMatchObject({ user: { id, username } })
  for (const one of [client, elsewhere]) await expectSignedOut(one)
  expect((await signInWithPassword(client, username)).status).toBe(200)
  await expectSignedIn(client)
})

test('no way in works while an account is disabled, and each works again when it is enabled', async ({
  server,
  client,
  another,
  authenticator,
}) => {
  const { id, username, codes } = await withEveryWayIn(client, authenticator)
  await accounts(server, 'disable', username)
  const visitor = another()
  const waysIn = [
    () => signInWithPassword(visitor, username),
    () => authenticate(visitor, authenticator),
    () => authenticate(visitor, authenticator, username),
    () => signInWithRecoveryCode(visitor, username, codes[0]),
  ]
  for (const signIn of waysIn) {
    expectDisabled(await signIn())
    await expectSignedOut(visitor)
  }
  const methods = () =>
    logLines(server.output())
      .filter(({ event, account }) => event === 'disabled_account' && account === id)
      .map(({ method }) => method)
  await expect.poll(methods).toEqual(['pwd', 'passkey', 'passkey', 'recovery'])

  await accounts(server, 'enable', username)
  // The code that was shown is good still, and once.
  for (const signIn of waysIn) expect((await signIn()).status).toBe(200)
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, codes[0]))
})

test('without a right credential nobody can tell a disabled account from another one @promise', async ({
  server,
  client,
  another,
}) => {
  const { username } = await signUp(client)
  await createRecoveryCodes(client)
  await accounts(server, 'disable', username)
  const visitor = another()
  for (const name of [username, randomName()]) {
    expectAuthenticationFailed(await signInWithPassword(visitor, name, WRONG_PASSWORD))
    expectAuthenticationFailed(await signInWithRecoveryCode(visitor, name, 'AAAA-AAAA-AAAA-AAAA'))
  }
  expectError(await visitor.post('/api/signup', { username, password: 'an account of my own' }), 409, 'username_taken')
})

test('right credentials of a disabled account count as sign-ins, so that nobody can show them without end', async ({
  server,
  client,
}) => {
  const { username } = await signUp(client)
  const [code] = await createRecoveryCodes(client)
  await accounts(server, 'disable', username)
  for (let time = 0; time < 60; time += 1) expectDisabled(await signInWithRecoveryCode(client, username, code))
  expectError(await signInWithRecoveryCode(client, username, code), 429, 'too_many_attempts')
})

test('an operator who disables and enables an account leaves an event of each, which its owner is told', async ({
  server,
  client,
}) => {
  const { username } = await signUp(client)
  // What changes nothing leaves nothing.
  for (const command of ['disable', 'disable', 'enable']) await accountsJson(server, command, username)
  await signInWithPassword(client, username)
  const expected = ['account_enabled', 'account_disabled'].map((type) => ({ type, method: 'operator', browser: null }))
  expect(await eventsOf(client, 'changes')).toEqual(expected.map((event) => expect.objectContaining(event)))
  expect(await notableEventsOf(client)).toMatchObject(expected)
})

// The flag alone: an epoch would hide that one of these forgets to ask for it.
test('the flag of a disabled account is asked for by each request and by each sign-in', async ({ server, client }) => {
  const { id, username, token } = await signUp(client)
  const [code] = await createRecoveryCodes(client)
  const cookie = accessCookieOf(client)
  expect((await askForwardAuth(server, cookie)).status).toBe(200)
  const set = (disabled: boolean) =>
    executeSql(server.databaseUrl, `UPDATE "User" SET "disabled" = ${disabled} WHERE "id" = '${id}'`)

  set(true)
  await expectSignedOut(client)
  expectError(await askForwardAuth(server, { Authorization: `Bearer ${token}` }), 401, 'not_signed_in')
  expectError(await askForwardAuth(server, cookie), 401, 'not_signed_in')
  for (const answer of [
    await signInWithPassword(new Client(server), username),
    await signInWithRecoveryCode(new Client(server), username, code),
  ]) {
    expectDisabled(answer)
    expect(answer.cookies.filter(({ name, value }) => name.endsWith('access') && value !== '')).toEqual([])
  }
  set(false)
  await expectSignedIn(client)
  expect((await signInWithRecoveryCode(new Client(server), username, code)).status).toBe(200)
})

test('on PostgreSQL, a sign-in that has shown its password does not land after the account is disabled', {
  tag: '@networked',
}, async ({ server, client }) => {
  const { username, id } = await signUp(client)
  const held = await takeLock(server.databaseUrl, `SELECT 1 FROM "User" WHERE "id" = '${id}' FOR UPDATE`)
  const disabling = accounts(server, 'disable', username)
  await held.untilWaiting(1)
  const signingIn = signInWithPassword(new Client(server), username)
  await held.untilWaiting(2)
  await held.release()
  expect((await disabling).code).toBe(0)
  expectDisabled(await signingIn)
  expect(await accountsJson(server, 'export', username)).toMatchObject({ sessions: [{ method: 'pwd' }] })
})
