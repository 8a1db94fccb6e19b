import { decodeJwt, decodeProtectedHeader } from 'jose'
import {
  authenticate,
  changePassword,
  createAccount,
  createRecoveryCodes,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed } from '../../support/expectations'
import { startReceiver } from '../../support/network/receiver'
import { logoutToken, rowsOf, sentTo, test } from '../../support/openid/back-channel'
import { CALLBACK, expect, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { takeLock } from '../../support/storage/database-lock'
import { executeSql, readSql } from '../../support/storage/sql'

test("a logout token has the session's sid, two minutes, one event and no nonce, and no endpoint takes it", async ({
  client,
  listening,
  server,
}) => {
  const { id } = await signUp(client)
  const { claims } = await new Flow(client, listening).signIn()
  expect((await client.post('/api/signout')).status).toBe(204)
  const payload = await logoutToken(server, listening)
  expect(payload).toEqual({
    iss: server.origin,
    aud: listening.id,
    sub: id,
    sid: claims.sid,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    jti: expect.any(String),
    iat: expect.any(Number),
    exp: (payload.iat ?? 0) + 120,
  })
  const [request] = listening.receiver.received
  expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  const [token = ''] = sentTo(listening)
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' })
  const bearer = await client.get('/api/oauth/userinfo', { headers: { Authorization: `Bearer ${token}` } })
  expect(bearer.status).toBe(401)
  await expect.poll(() => rowsOf(server, listening)).toEqual([])
})

test('a logout token arrives after a logout that an app starts, at that app and at each other of the session', async ({
  client,
  listen,
}) => {
  const back = 'https://app.example.com/signed-out'
  const [app, other, unreached] = [await listen('--sign-out-uri', back), await listen(), await listen()]
  await signUp(client)
  const { id_token } = await new Flow(client, app).tokens()
  const { claims } = await new Flow(client, other).signIn()
  const answer = await client.get(
    `/api/oauth/logout?${new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: back })}`,
  )
  expect(answer.headers.location).toBe(back)
  for (const registered of [app, other]) {
    await registered.receiver.until(1)
    expect(decodeJwt(sentTo(registered)[0] ?? '').sid).toBe(claims.sid)
  }
  expect(unreached.receiver.received).toEqual([])
})

interface Setting {
  client: Client
  username: string
  server: Server
  another: () => Client
}

/** Every way in which a session ends before its time. The client is signed in by its password. */
const ways: [string, (setting: Setting) => Promise<unknown>][] = [
  ["its owner's sign-out", ({ client }) => client.post('/api/signout')],
  [
    'its owner revoking it from another session',
    async ({ username, another }) => {
      const other = another()
      await signInWithPassword(other, username)
      const { sessions } = (await other.post('/api/i/sessions')).body
      const { id } = sessions.find(({ current }: { current: boolean }) => !current)
      expect((await other.post('/api/i/sessions/revoke', { id })).status).toBe(204)
    },
  ],
  ['signing out everywhere', ({ client }) => client.post('/api/i/signout-everywhere')],
  [
    'signing out everywhere else',
    async ({ username, another }) => {
      const other = another()
      await signInWithPassword(other, username)
      expect((await other.post('/api/i/signout-everywhere', { exceptThis: true })).status).toBe(200)
    },
  ],
  [
    'a change of the password elsewhere',
    async ({ username, another }) => {
      const other = another()
      const { body } = await signInWithPassword(other, username)
      expect(body.stepUp).toBeTruthy()
      const answer = await changePassword(other, 'another sentence of its owner', 'correct horse battery staple')
      expect(answer.status, answer.text).toBe(200)
    },
  ],
  ['another account signing in over it', ({ client }) => signUp(client)],
  ["an operator's sign-out", ({ username, server }) => accountsJson(server, 'sign-out', username)],
]

for (const [what, end] of ways)
  test(`a logout token arrives after ${what}`, async ({ client, another, listening, server }) => {
    const { id, username } = await signUp(client)
    const { claims } = await new Flow(client, listening).signIn()
    await end({ client, username, server, another })
    expect(await logoutToken(server, listening)).toMatchObject({ sub: id, sid: claims.sid })
  })

test('a logout token arrives after the passkey that opened the session is removed elsewhere', async ({
  client,
  another,
  authenticator,
  listening,
  server,
}) => {
  const { id, username } = await signUpWithPasskey(client, authenticator)
  await changePassword(client, 'a password beside the passkey')
  const other = another()
  expect((await signInWithPassword(other, username, 'a password beside the passkey')).status).toBe(200)
  const { claims } = await new Flow(client, listening).signIn()
  const [passkey] = (await other.post('/api/i')).body.passkeys
  expect((await other.post('/api/i/passkeys/remove', { id: passkey.id })).status).toBe(204)
  expect(await logoutToken(server, listening)).toMatchObject({ sub: id, sid: claims.sid })
})

test('a logout token arrives after the password that opened the session is removed elsewhere', async ({
  client,
  another,
  authenticator,
  listening,
  server,
}) => {
  const { id, username } = await signUp(client)
  const { claims } = await new Flow(client, listening).signIn()
  const other = another()
  await signInWithPassword(other, username)
  expect((await register(other, authenticator)).status).toBe(201)
  expect((await authenticate(other, authenticator)).status).toBe(200)
  expect((await other.post('/api/i/password/remove')).status).toBe(204)
  expect(await logoutToken(server, listening)).toMatchObject({ sub: id, sid: claims.sid })
})

test('a logout token arrives after the recovery codes that opened the session are replaced', async ({
  client,
  another,
  listening,
  server,
}) => {
  const { id, username } = await signUp(client)
  const [code] = await createRecoveryCodes(client)
  const byCode = another()
  expect((await signInWithRecoveryCode(byCode, username, code)).status).toBe(200)
  const { claims } = await new Flow(byCode, listening).signIn()
  await createRecoveryCodes(client)
  expect(await logoutToken(server, listening)).toMatchObject({ sub: id, sid: claims.sid })
})

test('disabling an account sends every app that it has let in one logout token, by sub alone', async ({
  client,
  another,
  listening,
  server,
}) => {
  const { id, username } = await signUp(client)
  await new Flow(client, listening).tokens()
  const other = another()
  await signInWithPassword(other, username)
  await new Flow(other, listening).tokens()
  await accountsJson(server, 'disable', username)
  const payload = await logoutToken(server, listening)
  await accountsJson(server, 'disable', username)
  await expect.poll(() => rowsOf(server, listening)).toEqual([])
  expect(payload.sub).toBe(id)
  expect(payload).not.toHaveProperty('sid')
  expect(listening.receiver.received).toHaveLength(1)
})

test('deleting an account sends every app a logout token, by sub alone, whoever deletes it @promise', async ({
  client,
  another,
  listen,
  server,
}) => {
  for (const by of ['owner', 'operator'] as const) {
    const app = await listen()
    const person = by === 'owner' ? client : another()
    const { id, username } = await createAccount(person)
    await new Flow(person, app).tokens()
    if (by === 'owner') expect((await person.post('/api/i/delete')).status).toBe(204)
    else await accountsJson(server, 'delete', username, '--yes')
    const payload = await logoutToken(server, app)
    expect(payload.sub).toBe(id)
    expect(payload).not.toHaveProperty('sid')
  }
})

test('signing everybody out and restoring a backup send the apps a logout token', async ({ start }) => {
  const server = await start()
  const receiver = await startReceiver(200)
  const app = { ...(await registerApp(server, CALLBACK, '--back-channel', receiver.url)), receiver }
  for (const [count, command] of [
    ['sign-out', '--all', '--yes'],
    ['restore', '--yes'],
  ].entries()) {
    const client = new Client(server)
    await signUp(client)
    const { claims } = await new Flow(client, app).signIn()
    await accountsJson(server, ...command)
    await receiver.until(count + 1)
    expect(decodeJwt(sentTo(app).at(-1) ?? '').sid).toBe(claims.sid)
  }
  await receiver.stop()
})

test("a back channel that a command gives an app beside a running server gets the logout token of an operator's sign-out", async ({
  server,
  client,
}) => {
  const receiver = await startReceiver(200)
  const app = await registerApp(server, CALLBACK)
  const { username } = await signUp(client)
  const { claims } = await new Flow(client, app).signIn()
  await accountsJson(server, 'app', 'change', app.id, '--back-channel', receiver.url)
  await accountsJson(server, 'sign-out', username)
  await receiver.until(1)
  expect(decodeJwt(sentTo({ ...app, receiver })[0] ?? '').sid).toBe(claims.sid)
  await receiver.stop()
})

test.describe('where no logout token is sent', () => {
  test('no logout token is sent where the session goes on: after a step-up, a password change here and signing out elsewhere', async ({
    client,
    authenticator,
    listening,
    server,
  }) => {
    const { id, username } = await signUpWithPasskey(client, authenticator)
    await new Flow(client, listening).tokens()
    expect((await authenticate(client, authenticator)).status).toBe(200)
    await changePassword(client, 'a password beside the passkey')
    expect((await client.post('/api/i/signout-everywhere', { exceptThis: true })).status).toBe(200)
    expect((await signInWithPassword(client, username, 'a password beside the passkey')).status).toBe(200)
    const [passkey] = (await client.post('/api/i')).body.passkeys
    expect((await client.post('/api/i/passkeys/remove', { id: passkey.id })).status).toBe(204)
    expect(rowsOf(server, listening)).toEqual([])
    const { claims } = await new Flow(client, listening).signIn()
    await client.post('/api/signout')
    // The first to arrive is that of the sign-out.
    expect(await logoutToken(server, listening)).toMatchObject({ sub: id, sid: claims.sid })
  })

  test('no logout token is sent for a session that merely expired', async ({ client, another, listening, server }) => {
    const { id, username } = await signUp(client)
    await new Flow(client, listening).tokens()
    const past = `SET "expiresAt" = ${Date.now() - 1} WHERE "userId" = '${id}'`
    for (const table of ['Session', 'AppSession']) executeSql(server.databaseUrl, `UPDATE "${table}" ${past}`)
    const other = another()
    await signInWithPassword(other, username)
    const { claims } = await new Flow(other, listening).signIn()
    expect((await other.post('/api/i/signout-everywhere')).status).toBe(204)
    expect(await logoutToken(server, listening)).toMatchObject({ sid: claims.sid })
  })

  test('no logout token is sent to an app without a back channel, nor twice for one session', async ({
    client,
    another,
    app,
    listening,
    server,
  }) => {
    const { username } = await createAccount(client)
    await new Flow(client, app).tokens()
    await new Flow(client, listening).tokens()
    const other = another()
    await signInWithPassword(other, username)
    await Promise.all([client.post('/api/signout'), other.post('/api/i/signout-everywhere', { exceptThis: true })])
    await other.post('/api/i/signout-everywhere')
    await accountsJson(server, 'sign-out', username)
    await logoutToken(server, listening)
    await expect.poll(() => rowsOf(server, listening)).toEqual([])
  })
})

test('on PostgreSQL, a step-up that comes to nothing leaves what is kept of the apps of its session', {
  tag: '@networked',
}, async ({ client, server }) => {
  const url = server.databaseUrl
  const { id, username } = await signUp(client)
  await new Flow(client, await registerApp(server, CALLBACK)).tokens()
  executeSql(url, `UPDATE "AppSession" SET "expiresAt" = "expiresAt" - 60000 WHERE "userId" = '${id}'`)
  const kept = () => readSql(url, `SELECT "expiresAt" FROM "AppSession" WHERE "userId" = '${id}'`)
  const before = kept()
  const held = await takeLock(url, `UPDATE "User" SET "passwordHash" = NULL WHERE "id" = '${id}'`)
  const steppingUp = signInWithPassword(client, username)
  await held.untilWaiting(1)
  await held.release()
  expectAuthenticationFailed(await steppingUp)
  expect(before).toHaveLength(1)
  expect(kept()).toEqual(before)
})
