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
import type { Client } from '../../support/client'
import { CALLBACK, expect, registerApp, test } from '../../support/openid/fixtures'
import { Flow, lasting } from '../../support/openid/flow'
import { expectEnded, expectOAuthError, userinfo } from '../../support/openid/requests'
import { alterCode, expireSessions } from '../../support/openid/stored-codes'
import { accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { takeLock } from '../../support/storage/database-lock'
import { executeSql } from '../../support/storage/sql'

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
    ["the owner's own sign-out", async ({ client }) => expect((await client.post('/api/signout')).status).toBe(204)],
    [
      'the end of the session by its time',
      async ({ client }, server) => expireSessions(server, (await client.post('/api/i')).body.id),
    ],
    [
      'another sign-in of the same browser',
      async ({ client, username }) => expect((await signInWithPassword(client, username)).status).toBe(200),
    ],
  ]
  for (const [what, act] of spares)
    test(`a family of refresh tokens stands after ${what}`, async ({ client, app, server }) => {
      const { username } = await signUp(client)
      const flow = new Flow(client, app)
      const held = { client, flow, username, tokens: await flow.lastingTokens() }
      await act(held, server)
      await expectFamilyStands(held)
    })

  /** Of the changes that begin a new epoch, one. */
  const ends: [string, (held: Held, server: Server) => Promise<unknown>][] = [
    ['signing out everywhere @storage @promise', ({ client }) => client.post('/api/i/signout-everywhere')],
    ['the end of access', ({ client, flow }) => client.post('/api/i/apps/revoke', { id: flow.app.id })],
    ['the deletion of the account', ({ client }) => client.post('/api/i/delete')],
    [
      'disabling the account, also after it is enabled again',
      async ({ username }, server) => {
        await accountsJson(server, 'disable', username)
        await accountsJson(server, 'enable', username)
      },
    ],
    [
      'the owner revoking its session @promise',
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

  test('a family of refresh tokens ends with the password, also where one is set again, and one by passkey stands @promise', async ({
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
    executeSql(server.databaseUrl, `UPDATE "User" SET "sessionEpoch" = "sessionEpoch" - 1 WHERE "id" = '${id}'`)
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

  test('a family of refresh tokens ends with the recovery codes that opened its session @promise', async ({
    client,
    another,
    app,
  }) => {
    const { username } = await createAccount(client)
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

  interface Removal {
    server: Server
    group: string
    username: string
    app: string
  }
  const removals: [string, (removal: Removal) => Promise<unknown>][] = [
    [
      'removal from the group @storage',
      ({ server, group, username }) => accountsJson(server, 'group', 'remove', group, username),
    ],
    ['deletion of the group', ({ server, group }) => accountsJson(server, 'group', 'delete', group, '--yes')],
    ['a change of its group', ({ server, app }) => accountsJson(server, 'app', 'change', app, '--group', 'another')],
    [
      'a change to passkeys only @storage',
      ({ server, app }) => accountsJson(server, 'app', 'change', app, '--require-passkey'),
    ],
  ]
  for (const [how, remove] of removals)
    test(`tokens of an app that nobody used meanwhile are not valid again by undoing ${how}`, async ({
      client,
      server,
    }) => {
      const { username } = await signUp(client)
      // `_` is a wildcard in LIKE, and `${group}s` contains the name: neither membership may count.
      const group = `a_${username.replaceAll(/[^a-z0-9]/g, '')}`
      const app = await registerApp(server, CALLBACK, '--group', group)
      await accountsJson(server, 'group', 'add', group, username)
      await accountsJson(server, 'group', 'add', `a-${group.slice(2)}`, username)
      await accountsJson(server, 'group', 'add', `${group}s`, username)
      const flow = new Flow(client, app)
      const tokens = await flow.lastingTokens()
      const { access_token } = await flow.tokens()
      await remove({ server, group, username, app: app.id })
      await accountsJson(server, 'app', 'change', app.id, '--group', group, '--no-require-passkey')
      await accountsJson(server, 'group', 'add', group, username)
      await expectFamilyEnded({ client, flow, username, tokens })
      await expectEnded(client, access_token)
    })

  test('a family of refresh tokens stands after removal from one of two groups of the app', async ({
    client,
    server,
  }) => {
    const { username } = await createAccount(client)
    const [first, second] = [`first-${username}`, `second-${username}`]
    const app = await registerApp(server, CALLBACK, '--group', first, '--group', second)
    for (const group of [first, second]) await accountsJson(server, 'group', 'add', group, username)
    const flow = new Flow(client, app)
    const tokens = await flow.lastingTokens()
    await accountsJson(server, 'group', 'remove', first, username)
    await expectFamilyStands({ client, flow, username, tokens })
  })

  test('a family of refresh tokens of an app that now requires a passkey ends, unless it is by one', async ({
    client,
    another,
    server,
  }) => {
    const app = await registerApp(server, CALLBACK)
    const hold = async (holder: Client, { username }: { username: string }): Promise<Held> => {
      const flow = new Flow(holder, app)
      return { client: holder, flow, username, tokens: await flow.lastingTokens() }
    }
    const byPassword = await hold(client, await signUp(client))
    const other = another()
    const byPasskey = await hold(other, await createAccount(other))
    await accountsJson(server, 'app', 'change', app.id, '--require-passkey')
    expectOAuthError(await byPassword.flow.refresh(byPassword.tokens.refresh_token), 400, 'invalid_grant')
    await expectFamilyStands(byPasskey)
  })

  test('a family of refresh tokens does not begin with a session that has ended between code and tokens', async ({
    client,
    app,
  }) => {
    const { username } = await createAccount(client)
    const flow = new Flow(client, app)
    const code = await flow.code({ scope: lasting })
    expect((await client.post('/api/signout')).status).toBe(204)
    await signInWithPassword(client, username)
    expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
  })
})

test('on PostgreSQL, no family of refresh tokens begins while a transaction that has looked for families already ends its session', {
  tag: '@networked',
}, async ({ client, server }) => {
  const { id } = await signUp(client)
  const [session] = (await client.post('/api/i/sessions')).body.sessions
  const flow = new Flow(client, await registerApp(server, CALLBACK))
  const code = await flow.code({ scope: lasting })
  const held = await takeLock(
    server.databaseUrl,
    `WITH removed AS (UPDATE "User" SET "passwordHash" = NULL WHERE "id" = '${id}')
     INSERT INTO "ConsumedToken" ("id", "expiresAt") VALUES ('${session.id}', ${Date.parse(session.expiresAt)})`,
  )
  const exchanging = flow.exchange(code)
  await held.untilWaiting(1)
  await held.release()
  expectOAuthError(await exchanging, 400, 'invalid_grant')
})
