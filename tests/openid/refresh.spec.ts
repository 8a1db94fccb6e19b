import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import {
  authenticate,
  changePassword,
  createRecoveryCodes,
  eventsOf,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../support/accounts'
import type { Client } from '../support/client'
import { expectError } from '../support/expectations'
import { CALLBACK, expect, registerApp, test } from '../support/openid/fixtures'
import { Flow } from '../support/openid/flow'
import {
  consent,
  expectEnded,
  expectOAuthError,
  isConsent,
  requestOf,
  userinfo,
  verifyIdToken,
} from '../support/openid/requests'
import { alterCode, expireSessions, readCode } from '../support/openid/stored-codes'
import { accountsJson, logLines } from '../support/operator/accounts-command'
import type { Server } from '../support/server'
import { executeSql } from '../support/storage/sql'

const lasting = 'openid profile offline_access'

/** Lets the ten seconds pass in which a used refresh token gives the same next one. */
const afterTenSeconds = (server: Server, token: string) =>
  alterCode(server, token, `"refreshedAt" = "refreshedAt" - 10001`)

test.describe('offline_access', () => {
  test('offline_access gives a refresh token, and nothing else does', async ({ client, app }) => {
    await signUp(client)
    expect(await new Flow(client, app).tokens()).not.toHaveProperty('refresh_token')
    const { refresh_token, scope } = await new Flow(client, app).lastingTokens()
    expect(refresh_token).toMatch(/^[\w-]{65}$/)
    expect(scope).toBe(lasting)
    const { apps } = (await client.post('/api/i/apps')).body
    expect(apps[0].scopes).toEqual(['openid', 'profile', 'offline_access'])
  })

  test('offline_access requires consent with a step-up, which does not end the request, and a remembered grant asks for none', async ({
    client,
    another,
    app,
  }) => {
    const { username, token } = await signUp(client)
    const withoutStepUp = another({ bearer: token })
    const flow = new Flow(withoutStepUp, app)
    expect(flow.toApp(await flow.ask({ scope: lasting, prompt: 'none' })).get('error')).toBe('consent_required')
    const asked = await flow.ask({ scope: lasting })
    const request = requestOf(asked)
    const shown = await withoutStepUp.post('/api/oauth/request', { request })
    expect(shown.body.scopes).toEqual(['openid', 'profile', 'offline_access'])
    const rejected = await withoutStepUp.post('/api/oauth/consent', { request, allow: true })
    expectError(rejected, 403, 'reauthentication_required')
    // The step-up gives another session in place of this one, for which the request still stands.
    expect((await signInWithPassword(client, username)).status).toBe(200)
    expect(flow.toApp(await consent(client, asked)).has('code')).toBe(true)
    const later = new Flow(
      another({ bearer: client.jar.get('session') ?? client.jar.get('__Host-session') ?? '' }),
      app,
    )
    expect(isConsent(await later.ask({ scope: lasting }))).toBe(false)
    expect(isConsent(await later.ask({ scope: lasting, prompt: 'consent' }))).toBe(true)
    expect((await later.answer({ scope: lasting, prompt: 'consent' })).has('code')).toBe(true)
  })

  test('offline_access can be declined without a step-up, and a trusted app gets it without either', async ({
    client,
    another,
    app,
    appWith,
  }) => {
    const { token } = await signUp(client)
    const withoutStepUp = another({ bearer: token })
    const declined = await new Flow(withoutStepUp, app).answer({ scope: lasting }, false)
    expect(declined.get('error')).toBe('access_denied')
    const trusted = new Flow(withoutStepUp, await appWith(CALLBACK, '--trusted'))
    expect(trusted.toApp(await trusted.ask({ scope: lasting, prompt: 'none' })).has('code')).toBe(true)
  })
})

test.describe('a refresh token', () => {
  test('a refresh token gives new tokens of the same person, session and time, and another refresh token', async ({
    client,
    app,
  }) => {
    const { id } = await signUp(client)
    const flow = new Flow(client, app)
    const first = await flow.lastingTokens()
    const answer = await flow.refresh(first.refresh_token)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: lasting })
    expect(answer.body.refresh_token).not.toBe(first.refresh_token)
    const before = decodeJwt(first.id_token)
    const after = await verifyIdToken(client.server, answer.body.id_token, app.id)
    const { sub, auth_time, sid, amr, preferred_username } = before
    expect(after).toMatchObject({ sub, auth_time, sid, amr, preferred_username })
    expect(after.nonce).toBeUndefined()
    for (const token of [first.access_token, answer.body.access_token])
      expect((await userinfo(client, token)).body.sub).toBe(id)
  })

  test('a refresh token gives fewer scopes where fewer are asked for, and never more', async ({ client, app }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const { refresh_token } = await flow.lastingTokens()
    const fewer = (await flow.refresh(refresh_token, { scope: 'openid address' })).body
    expect(fewer.scope).toBe('openid')
    expect(decodeJwt(fewer.id_token)).not.toHaveProperty('preferred_username')
    expect((await userinfo(client, fewer.access_token)).body).not.toHaveProperty('preferred_username')
    const again = (await flow.refresh(fewer.refresh_token)).body
    expect(again.scope).toBe(lasting)
    expectOAuthError(await flow.refresh(again.refresh_token, { scope: 'openid groups' }), 400, 'invalid_scope')
  })

  test('a refresh token stays unused where more is asked for than was granted, and only the app of an unused one reads so', async ({
    client,
    app,
    appWith,
    server,
  }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const first = (await flow.lastingTokens()).refresh_token
    const tooMuch = { scope: 'openid groups' }
    const other = await appWith(CALLBACK, 'https://other.example.com/')
    const stolen = { ...tooMuch, client_id: other.id, client_secret: other.secret }
    expectOAuthError(await flow.refresh(first, stolen), 400, 'invalid_grant')
    expectOAuthError(await flow.refresh(first, tooMuch), 400, 'invalid_scope')
    await afterTenSeconds(server, first)
    const answer = await flow.refresh(first)
    expect(answer.status, answer.text).toBe(200)
    const next = answer.body.refresh_token
    await afterTenSeconds(server, first)
    expectOAuthError(await flow.refresh(first, tooMuch), 400, 'invalid_grant')
    expectOAuthError(await flow.refresh(next), 400, 'invalid_grant')
  })

  test('a refresh token that is missing, altered, cut or of another kind is rejected, and ends nothing', async ({
    client,
    app,
  }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const { refresh_token, access_token, id_token } = await flow.lastingTokens()
    const code = await flow.code()
    const altered = `${refresh_token.slice(0, 30)}${refresh_token[30] === 'A' ? 'B' : 'A'}${refresh_token.slice(31)}`
    for (const wrong of [
      altered,
      refresh_token.slice(0, 22),
      `${refresh_token}A`,
      `A${refresh_token}`,
      'a\0b',
      code,
      access_token,
      id_token,
    ])
      expectOAuthError(await flow.refresh(wrong), 400, 'invalid_grant')
    for (const refresh_token of [undefined, ''])
      expectOAuthError(await flow.refresh('', { refresh_token }), 400, 'invalid_request')
    expectOAuthError(await flow.exchange(refresh_token), 400, 'invalid_grant')
    expect((await flow.refresh(refresh_token)).status).toBe(200)
  })

  test("a refresh token of another app is rejected, and stays that app's", async ({ client, app, appWith }) => {
    await signUp(client)
    const other = await appWith(CALLBACK, 'https://other.example.com/')
    const flow = new Flow(client, app)
    const { refresh_token } = await flow.lastingTokens()
    const stolen = { client_id: other.id, client_secret: other.secret }
    expectOAuthError(await flow.refresh(refresh_token, stolen), 400, 'invalid_grant')
    expect((await flow.refresh(refresh_token)).status).toBe(200)
  })

  test('a refresh token requires the secret of a confidential app, and a public app has none', async ({
    client,
    app,
    appWith,
  }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const { refresh_token } = await flow.lastingTokens()
    expectOAuthError(await flow.refresh(refresh_token, { client_secret: undefined }), 401, 'invalid_client')
    const open = new Flow(client, await appWith(CALLBACK, '--public'))
    expect((await open.refresh((await open.lastingTokens()).refresh_token)).status).toBe(200)
  })
})

test.describe('rotation', () => {
  test('within ten seconds a repeat of a refresh by the same app gets the same next token, while that is unused', async ({
    client,
    app,
  }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const { refresh_token } = await flow.lastingTokens()
    const next = (await flow.refresh(refresh_token)).body.refresh_token
    const again = await flow.refresh(refresh_token)
    expect(again.body.refresh_token).toBe(next)
    expect((await flow.refresh(next)).status).toBe(200)
    expectOAuthError(await flow.refresh(refresh_token), 400, 'invalid_grant')
  })

  test('parallel uses of one refresh token have one outcome', async ({ client, app }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const { refresh_token } = await flow.lastingTokens()
    const answers = await Promise.all(Array.from({ length: 8 }, () => flow.refresh(refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    const [next, ...others] = new Set(answers.map(({ body }) => body.refresh_token))
    expect(others).toEqual([])
    expect((await flow.refresh(next)).status).toBe(200)
  })

  test('a used refresh token ends the family and its access tokens after ten seconds, and its owner and operator read so', async ({
    client,
    app,
    server,
  }) => {
    const { id } = await signUp(client)
    const flow = new Flow(client, app)
    const first = await flow.lastingTokens()
    const second = (await flow.refresh(first.refresh_token)).body
    await afterTenSeconds(server, first.refresh_token)
    expectOAuthError(await flow.refresh(first.refresh_token), 400, 'invalid_grant')
    for (const token of [first.access_token, second.access_token]) await expectEnded(client, token)
    expectOAuthError(await flow.refresh(second.refresh_token), 400, 'invalid_grant')
    expect((await eventsOf(client))[0]).toMatchObject({ type: 'refresh_token_reused', app: app.name, browser: null })
    const lines = logLines({ stderr: server.output(), stdout: '', code: 0 }).filter(({ account }) => account === id)
    expect(lines.filter(({ event }) => event === 'refresh_token_reused')).toEqual([
      expect.objectContaining({ outcome: 'failure', app: app.id }),
    ])
  })

  test("an older refresh token ends the family at once, and so does a used one in another app's hands", async ({
    client,
    app,
    appWith,
  }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const first = (await flow.lastingTokens()).refresh_token
    const second = (await flow.refresh(first)).body.refresh_token
    const third = (await flow.refresh(second)).body.refresh_token
    expectOAuthError(await flow.refresh(first), 400, 'invalid_grant')
    expectOAuthError(await flow.refresh(third), 400, 'invalid_grant')

    const other = await appWith(CALLBACK, 'https://other.example.com/')
    const used = (await flow.lastingTokens()).refresh_token
    const next = (await flow.refresh(used)).body.refresh_token
    const stolen = { client_id: other.id, client_secret: other.secret }
    expectOAuthError(await flow.refresh(used, stolen), 400, 'invalid_grant')
    expectOAuthError(await flow.refresh(next), 400, 'invalid_grant')
  })

  test('a code that is used twice ends its family', async ({ client, app }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const code = await flow.code({ scope: lasting })
    const { refresh_token } = (await flow.exchange(code)).body
    expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
    expectOAuthError(await flow.refresh(refresh_token), 400, 'invalid_grant')
  })

  test('a refresh token expires after 30 days without use, and a family after 180', async ({ client, app, server }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const day = 86_400_000
    const idle = (await flow.lastingTokens()).refresh_token
    alterCode(server, idle, `"refreshUntil" = "refreshUntil" - ${30 * day}`)
    expectOAuthError(await flow.refresh(idle), 400, 'invalid_grant')
    const old = (await flow.lastingTokens()).refresh_token
    alterCode(server, old, `"usedAt" = "usedAt" - ${180 * day - 60_000}`)
    const { refresh_token } = (await flow.refresh(old)).body
    alterCode(server, old, `"usedAt" = "usedAt" - 60000`)
    expectOAuthError(await flow.refresh(refresh_token), 400, 'invalid_grant')
  })

  test('the database holds digests of refresh tokens, and not the tokens', async ({ client, app, server }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const { refresh_token } = await flow.lastingTokens()
    const next = (await flow.refresh(refresh_token)).body.refresh_token
    const stored = ['refreshHash', 'previousHash'].map((column) => readCode(server, next, column))
    const digestOf = (token: string) => createHash('sha256').update(token).digest('base64url')
    expect(stored).toEqual([digestOf(next), digestOf(refresh_token)])
  })
})

interface Held {
  client: Client
  flow: Flow
  username: string
  tokens: { refresh_token: string; access_token: string }
}

/** Asserts that refresh token and access token are over. */
async function expectFamilyEnded({ client, flow, tokens }: Held) {
  await expectEnded(client, tokens.access_token)
  expectOAuthError(await flow.refresh(tokens.refresh_token), 400, 'invalid_grant')
}

async function expectFamilyStands({ client, flow, tokens }: Held) {
  expect((await userinfo(client, tokens.access_token)).status).toBe(200)
  expect((await flow.refresh(tokens.refresh_token)).status).toBe(200)
}

test.describe('a family of refresh tokens', () => {
  const spares: [string, (held: Held, server: Server) => Promise<unknown>][] = [
    ["the owner's own sign-out", ({ client }) => client.post('/api/signout')],
    [
      'the end of the session by its time',
      async ({ client }, server) => expireSessions(server, (await client.post('/api/i')).body.id),
    ],
    ['another sign-in of the same browser', ({ client, username }) => signInWithPassword(client, username)],
  ]
  for (const [what, act] of spares)
    test(`a family of refresh tokens stands after ${what}`, async ({ client, app, server }) => {
      const { username } = await signUp(client)
      const flow = new Flow(client, app)
      const held = { client, flow, username, tokens: await flow.lastingTokens() }
      await act(held, server)
      await expectFamilyStands(held)
    })

  const ends: [string, (held: Held, server: Server) => Promise<unknown>][] = [
    ['signing out everywhere', ({ client }) => client.post('/api/i/signout-everywhere')],
    [
      'signing out everywhere except here',
      ({ client }) => client.post('/api/i/signout-everywhere', { exceptThis: true }),
    ],
    ['a change of the password', ({ client }) => changePassword(client, 'another sentence of the owner', undefined)],
    ['the end of access', ({ client, flow }) => client.post('/api/i/apps/revoke', { id: flow.app.id })],
    ['the deletion of the account', ({ client }) => client.post('/api/i/delete')],
    [
      'disabling the account, also after it is enabled again',
      async ({ username }, server) => {
        await accountsJson(server, 'disable', username)
        await accountsJson(server, 'enable', username)
      },
    ],
    ["an operator's sign-out", ({ username }, server) => accountsJson(server, 'sign-out', username)],
    [
      'the owner revoking its session',
      async ({ client }) => {
        const [{ id }] = (await client.post('/api/i/sessions')).body.sessions
        return client.post('/api/i/sessions/revoke', { id })
      },
    ],
  ]
  for (const [what, act] of ends)
    test(`a family of refresh tokens ends with ${what}`, async ({ client, authenticator, app, server }) => {
      const { username } = await signUpWithPasskey(client, authenticator)
      const flow = new Flow(client, app)
      const held = { client, flow, username, tokens: await flow.lastingTokens() }
      await act(held, server)
      await expectFamilyEnded(held)
    })

  test('a family of refresh tokens ends with its passkey, also where that is registered again', async ({
    client,
    authenticator,
    app,
    server,
  }) => {
    const { username } = await signUpWithPasskey(client, authenticator)
    await changePassword(client, 'a password beside the passkey')
    expect((await authenticate(client, authenticator)).status).toBe(200)
    const flow = new Flow(client, app)
    const tokens = await flow.lastingTokens()
    const [{ id }] = (await client.post('/api/i')).body.passkeys
    expect((await client.post('/api/i/passkeys/remove', { id })).status).toBe(200)
    // As if the authenticator had made the same passkey again.
    alterCode(server, tokens.refresh_token, '"passkeyId" = NULL')
    await expectFamilyEnded({ client, flow, username, tokens })
  })

  test('a family of refresh tokens ends with the password, also where one is set again, and one by passkey stands', async ({
    client,
    authenticator,
    another,
    app,
    server,
  }) => {
    const { username, id } = await signUp(client)
    const flow = new Flow(client, app)
    const tokens = await flow.lastingTokens()
    expect((await register(client, authenticator)).status).toBe(201)
    expect((await client.post('/api/i/password/remove')).status).toBe(204)
    expect((await client.post('/api/i/password', { password: 'a password that comes later' })).status).toBe(200)
    executeSql(
      server.stores.DATABASE_URL ?? '',
      `UPDATE "User" SET "sessionEpoch" = "sessionEpoch" - 1 WHERE "id" = '${id}'`,
    )
    await expectFamilyEnded({ client, flow, username, tokens })
    const other = another()
    await signUpWithPasskey(other, authenticator)
    await changePassword(other, 'a password that goes again')
    expect((await authenticate(other, authenticator)).status).toBe(200)
    const byPasskey = new Flow(other, app)
    const held = { client: other, flow: byPasskey, username, tokens: await byPasskey.lastingTokens() }
    expect((await other.post('/api/i/password/remove')).status).toBe(204)
    await expectFamilyStands(held)
  })

  test('a family of refresh tokens ends with the recovery codes that opened its session', async ({
    client,
    another,
    app,
  }) => {
    const { username } = await signUp(client)
    const [code] = await createRecoveryCodes(client)
    const byCode = another()
    expect((await signInWithRecoveryCode(byCode, username, code)).status).toBe(200)
    const flow = new Flow(byCode, app)
    const held = { client: byCode, flow, username, tokens: await flow.lastingTokens() }
    const own = new Flow(client, app)
    const kept = { client, flow: own, username, tokens: await own.lastingTokens() }
    await createRecoveryCodes(byCode)
    await expectFamilyEnded(held)
    await expectFamilyStands(kept)
  })

  test('a family of refresh tokens ends with removal from a group of the app, for good', async ({ client, server }) => {
    const { username } = await signUp(client)
    const group = `group-${username}`
    const app = await registerApp(server, CALLBACK, '--group', group)
    await accountsJson(server, 'group', 'add', group, username)
    const flow = new Flow(client, app)
    const tokens = await flow.lastingTokens()
    await accountsJson(server, 'group', 'remove', group, username)
    await expectFamilyEnded({ client, flow, username, tokens })
    await accountsJson(server, 'group', 'add', group, username)
    await expectFamilyEnded({ client, flow, username, tokens })
  })

  test('a family of refresh tokens ends with its app', async ({ client, server }) => {
    await signUp(client)
    const app = await registerApp(server, CALLBACK)
    const flow = new Flow(client, app)
    const { refresh_token, access_token } = await flow.lastingTokens()
    await accountsJson(server, 'app', 'delete', app.id, '--yes')
    expectOAuthError(await flow.refresh(refresh_token), 401, 'invalid_client')
    await expectEnded(client, access_token)
  })

  test('a family of refresh tokens of an app that now requires a passkey ends, unless it is by one', async ({
    client,
    server,
  }) => {
    await signUp(client)
    const app = await registerApp(server, CALLBACK)
    const flow = new Flow(client, app)
    const { refresh_token } = await flow.lastingTokens()
    await accountsJson(server, 'app', 'change', app.id, '--require-passkey')
    expectOAuthError(await flow.refresh(refresh_token), 400, 'invalid_grant')
  })

  test('a family of refresh tokens does not begin with a session that has ended between code and tokens', async ({
    client,
    app,
  }) => {
    const { username } = await signUp(client)
    const flow = new Flow(client, app)
    const code = await flow.code({ scope: lasting })
    expect((await client.post('/api/signout')).status).toBe(204)
    await signInWithPassword(client, username)
    expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
    expect((await client.get('/.well-known/openid-configuration')).body.grant_types_supported).toContain(
      'refresh_token',
    )
  })
})
