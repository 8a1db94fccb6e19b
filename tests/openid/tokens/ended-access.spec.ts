import { createAccount, signInWithPassword, signUp, signUpWithPasskey } from '../../support/accounts'
import { expectError } from '../../support/expectations'
import { CALLBACK, expect, registerApp, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { expectEnded, expectOAuthError, nextOf, requestOf, userinfo } from '../../support/openid/requests'
import { expireSessions } from '../../support/openid/stored-codes'
import { accountsJson } from '../../support/operator/accounts-command'
import { executeSql } from '../../support/storage/sql'

test.describe('codes and access tokens whose owner or session is gone', () => {
  test('a disabled account gets no code, no tokens and no claims', async ({ client, another, app, server }) => {
    const { username } = await signUp(client)
    const { access_token } = await new Flow(client, app).tokens()
    const flow = new Flow(client, app)
    const code = await flow.code()
    await accountsJson(server, 'disable', username)
    expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
    await expectEnded(client, access_token)
    const again = new Flow(client, app)
    expect(again.toApp(await again.ask({ prompt: 'none' })).get('error')).toBe('login_required')
    expect((await signInWithPassword(another(), username)).status).toBe(403)
  })

  test('an account that is disabled on the way to consent can neither read nor answer it, nor go on with an answer', async ({
    client,
    app,
    server,
  }) => {
    const { username } = await createAccount(client)
    const request = requestOf(await new Flow(client, app).ask())
    const answered = requestOf(await new Flow(client, app).ask())
    const { location } = (await client.post('/api/oauth/consent', { request: answered, allow: true })).body
    await accountsJson(server, 'disable', username)
    for (const path of ['/api/oauth/request', '/api/oauth/consent'])
      expectError(await client.post(path, { request, allow: true }), 401, 'not_signed_in')
    nextOf(await client.get(location))
  })

  test('a session that has ended takes its code and its access token along', async ({ client, app }) => {
    const { username } = await createAccount(client)
    const { access_token } = await new Flow(client, app).tokens()
    const flow = new Flow(client, app)
    const code = await flow.code()
    expect((await client.post('/api/signout')).status).toBe(204)
    expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
    await expectEnded(client, access_token)
    // Signing in again revives nothing.
    await signInWithPassword(client, username)
    await expectEnded(client, access_token)
  })

  test('a passkey that is removed takes along what its sessions gave to apps, whoever removes it', async ({
    client,
    authenticator,
    app,
    server,
  }) => {
    const { id } = await signUpWithPasskey(client, authenticator)
    const { access_token } = await new Flow(client, app).tokens()
    const flow = new Flow(client, app)
    const code = await flow.code()
    executeSql(server.databaseUrl, `DELETE FROM "Passkey" WHERE "userId" = '${id}'`)
    await expectEnded(client, access_token)
    expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
  })

  test('an access token ends with the session, also where that just expires', async ({ client, app, server }) => {
    const { id } = await createAccount(client)
    const { access_token } = await new Flow(client, app).tokens()
    expireSessions(server, id)
    await expectEnded(client, access_token)
  })

  test('a session that is given in place of another keeps sid and what apps got', async ({ client, app }) => {
    await signUp(client)
    const before = await new Flow(client, app).signIn()
    expect((await client.post('/api/i/signout-everywhere', { exceptThis: true })).status).toBe(200)
    const after = await new Flow(client, app).signIn()
    expect(after.claims.sid).toBe(before.claims.sid)
    expect((await userinfo(client, before.access_token)).status).toBe(200)
    expect((await client.post('/api/i/signout-everywhere')).status).toBe(204)
    await expectEnded(client, before.access_token)
    await expectEnded(client, after.access_token)
  })
})

test.describe('codes and access tokens of an app whose access is taken away', () => {
  test('the list of apps has the app, removing it ends what it got, and its next request asks again @storage', async ({
    client,
    app,
  }) => {
    await createAccount(client)
    expect((await client.post('/api/i/apps')).body.apps).toEqual([])
    const { access_token } = await new Flow(client, app).tokens()
    const { apps } = (await client.post('/api/i/apps')).body
    expect(apps).toEqual([
      {
        id: app.id,
        name: app.name,
        homeUrl: null,
        scopes: ['openid', 'profile'],
        since: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ])
    const flow = new Flow(client, app)
    const code = await flow.code()
    expect((await client.post('/api/i/apps/revoke', { id: app.id })).status).toBe(204)
    expect((await client.post('/api/i/apps/revoke', { id: app.id })).status).toBe(404)
    expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
    await expectEnded(client, access_token)
    const again = new Flow(client, app)
    expect(again.toApp(await again.ask({ prompt: 'none' })).get('error')).toBe('consent_required')
    await again.code()
    await expectEnded(client, access_token)
  })

  test('deleting an app ends its codes, tokens and grants, and another with its id gets nothing of them', async ({
    client,
    server,
  }) => {
    const app = await registerApp(server, CALLBACK)
    await createAccount(client)
    const { access_token } = await new Flow(client, app).tokens()
    const flow = new Flow(client, app)
    const code = await flow.code()
    await accountsJson(server, 'app', 'delete', app.id, '--yes')
    expectOAuthError(await flow.exchange(code), 401, 'invalid_client')
    await expectEnded(client, access_token)
    const { secret } = await registerApp(server, CALLBACK, '--id', app.id)
    expectOAuthError(await flow.exchange(code, { client_secret: secret }), 400, 'invalid_grant')
    await expectEnded(client, access_token)
  })
})
