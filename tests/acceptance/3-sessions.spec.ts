// A session ends at once and everywhere when its owner says so, and a copy of it changes little.
import {
  authenticate,
  changePassword,
  createRecoveryCodes,
  NEW_PASSWORD,
  PASSWORD,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
} from '../support/accounts'
import { Client } from '../support/client'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../support/expectations'
import { expect, test } from '../support/fixtures'
import { ageStepUp, now, resign } from '../support/tokens/tokens'
import { Authenticator } from '../support/webauthn/authenticator'

test('signing out ends every copy of the session, and no other session', async ({ client, another }) => {
  const { username, token } = await signUp(client)
  const elsewhere = another()
  await signInWithPassword(elsewhere, username)
  expect((await client.post('/api/signout')).status).toBe(204)
  await expectSignedOut(another({ bearer: token }))
  await expectSignedIn(elsewhere)
})

test('signing out everywhere ends all sessions of the account, and of no other', async ({ client, another }) => {
  const { username } = await signUp(client)
  const [elsewhere, somebody] = [another(), another()]
  await signInWithPassword(elsewhere, username)
  await signUp(somebody)
  expect((await client.post('/api/i/signout-everywhere')).status).toBe(204)
  for (const one of [client, elsewhere]) await expectSignedOut(one)
  await expectSignedIn(somebody)
})

test('the owner sees where the account is signed in, and ends one of the sessions', async ({ client, another }) => {
  const { username } = await signUp(client)
  const elsewhere = another({ headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Firefox/146.0' } })
  await signInWithPassword(elsewhere, username)
  const { sessions } = (await client.post('/api/i/sessions')).body
  expect(sessions).toHaveLength(2)
  const listed = sessions.find(({ browser }: { browser: string | null }) => browser === 'Firefox on Linux')
  expect(listed).toMatchObject({ current: false })
  expect((await client.post('/api/i/sessions/revoke', { id: listed.id })).status).toBe(204)
  await expectSignedOut(elsewhere)
  await expectSignedIn(client)
})

test('a new password ends all other sessions, and the old one signs nobody in', async ({ client, another }) => {
  const { username } = await signUp(client)
  const elsewhere = another()
  await signInWithPassword(elsewhere, username)
  expectAuthenticationFailed(await changePassword(client, NEW_PASSWORD, 'not the current one'))
  expect((await changePassword(client, NEW_PASSWORD, PASSWORD)).status).toBe(200)
  await expectSignedOut(elsewhere)
  await expectSignedIn(client)
  expectAuthenticationFailed(await signInWithPassword(another(), username, PASSWORD))
  expect((await signInWithPassword(another(), username, NEW_PASSWORD)).status).toBe(200)
})

test('removing a passkey ends the sessions that it opened, and those alone', async ({
  client,
  another,
  authenticator,
  server,
}) => {
  const { username } = await signUp(client)
  const { passkey } = (await register(client, authenticator)).body
  const second = new Authenticator(server.origin)
  const kept = (await register(client, second)).body.passkey
  const [byPasskey, byKept, byPassword] = [another(), another(), another()]
  expect((await authenticate(byPasskey, authenticator)).status).toBe(200)
  expect((await authenticate(byKept, second)).status).toBe(200)
  await signInWithPassword(byPassword, username)
  expect((await client.post('/api/i/passkeys/remove', { id: passkey.id })).status).toBe(204)
  await expectSignedOut(byPasskey)
  for (const other of [byKept, byPassword])
    expect((await expectSignedIn(other)).passkeys.map(({ id }: { id: string }) => id)).toEqual([kept.id])
  const { sessions } = (await client.post('/api/i/sessions')).body
  expect(sessions.map(({ method }: { method: string }) => method).sort()).toEqual(['passkey', 'pwd', 'pwd'])
})

test('the last way to sign in cannot be removed, also with recovery codes', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUp(client)
  await createRecoveryCodes(client)
  expectError(await client.post('/api/i/password/remove'), 409, 'last_way_in')
  expect((await signInWithPassword(another(), username)).status).toBe(200)
  await register(client, authenticator)
  expect((await client.post('/api/i/password/remove')).status).toBe(204)
  const [passkey] = (await expectSignedIn(client)).passkeys
  expectError(await client.post('/api/i/passkeys/remove', { id: passkey.id }), 409, 'last_way_in')
  expect((await authenticate(another(), authenticator)).status).toBe(200)
})

test('ten recovery codes let in who has lost everything else, each of them once, and new ones replace them', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const codes = await createRecoveryCodes(client)
  expect(new Set(codes).size).toBe(10)
  const typed = ` ${codes[0]?.toLowerCase().replaceAll('-', ' ')} `
  expect((await signInWithRecoveryCode(another(), username, typed)).status).toBe(200)
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, codes[0]))
  await createRecoveryCodes(client)
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, codes[1]))
})

test('a session whose credential was shown over ten minutes ago has to show it again for what matters', async ({
  client,
  server,
}) => {
  const { username } = await signUp(client)
  let password = PASSWORD
  for (const [path, body] of [
    ['/api/auth/register/options', {}],
    ['/api/i/recovery-codes', undefined],
    ['/api/i/password', { password: NEW_PASSWORD, currentPassword: PASSWORD }],
    ['/api/i/delete', undefined],
  ] as const) {
    await ageStepUp(client, server, 601)
    expectError(await client.post(path, body), 403, 'reauthentication_required')
    // Reading goes on.
    await expectSignedIn(client)
    expect((await signInWithPassword(client, username, password)).status).toBe(200)
    expect((await client.post(path, body)).status, path).toBeLessThan(300)
    if (path === '/api/i/password') {
      password = NEW_PASSWORD
      // The session that takes the place of this one has shown nothing yet.
      expect((await signInWithPassword(client, username, password)).status).toBe(200)
    }
  }
})

test('a session that has expired, or whose token was changed in any way, is none', async ({
  client,
  server,
  another,
}) => {
  const { token } = await signUp(client)
  const expired = await resign(token, server.secret, { claims: { exp: now() - 1 } })
  const forged = await resign(token, 'x'.repeat(64), {})
  for (const bearer of [expired, forged, `${token.slice(0, -4)}AAAA`, '']) await expectSignedOut(another({ bearer }))
  await expectSignedIn(another({ bearer: token }))
})

test('accounts, sessions and their end outlast a server that is killed', async ({ start }) => {
  const server = await start({ mode: 'api-only' })
  const [kept, ended] = [new Client(server), new Client(server)]
  const { username } = await signUp(kept)
  await signInWithPassword(ended, username)
  expect((await ended.post('/api/signout', undefined)).status).toBe(204)
  await server.kill('SIGKILL')
  await server.restart()
  await expectSignedIn(kept)
  await expectSignedOut(ended)
})

test('a deleted account is gone with its sessions, and its username stays taken for a while', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const elsewhere = another()
  await signInWithPassword(elsewhere, username)
  expect((await client.post('/api/i/delete')).status).toBe(204)
  for (const one of [client, elsewhere]) await expectSignedOut(one)
  expectAuthenticationFailed(await signInWithPassword(another(), username))
  expectError(await another().post('/api/signup', { username, password: PASSWORD }), 409, 'username_taken')
})

test('the owner reads what happened to the account: how, where and when', async ({ client, another }) => {
  const { username } = await signUp(client)
  await signInWithPassword(another(), username, 'a wrong password')
  await signInWithPassword(another(), username)
  const notices = async () =>
    (await client.post('/api/i/notices')).body.events.map(({ type }: { type: string }) => type)
  await expect.poll(notices).toEqual(expect.arrayContaining(['signed_in', 'signin_failed']))
  const { events } = (await client.post('/api/i/events')).body
  expect(events.at(-1)).toMatchObject({ type: 'account_created', method: 'pwd' })
})
