import { decodeJwt } from 'jose'
import { createAccount, signInWithPassword, signUp } from '../../support/accounts'
import { expectError } from '../../support/expectations'
import { CALLBACK, expect, test } from '../../support/openid/fixtures'
import { Flow, lasting } from '../../support/openid/flow'
import { consent, expectOAuthError, isConsent, requestOf, userinfo, verifyIdToken } from '../../support/openid/requests'
import { afterTenSeconds } from '../../support/openid/stored-codes'
import { withOtherCharacter } from '../../support/tokens/tokens'

test.describe('offline_access', () => {
  test('offline_access gives a refresh token, and nothing else does', async ({ client, app }) => {
    await createAccount(client)
    expect(await new Flow(client, app).tokens()).not.toHaveProperty('refresh_token')
    const { refresh_token, scope } = await new Flow(client, app).lastingTokens()
    expect(refresh_token).toMatch(/^[\w-]{65}$/)
    expect(scope).toBe(lasting)
    const { apps } = (await client.post('/api/i/apps')).body
    expect(apps[0].scopes).toEqual(['openid', 'profile', 'offline_access'])
  })

  test('offline_access requires consent with a step-up, which does not end the request, and a remembered grant asks for none @promise', async ({
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
      another({ bearer: client.jar.get('latchkey-session') ?? client.jar.get('__Host-session') ?? '' }),
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
    const { token } = await createAccount(client)
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
    const { id } = await createAccount(client)
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

  test('a refresh token gives fewer scopes where fewer are asked for, and never more @promise', async ({
    client,
    app,
  }) => {
    await createAccount(client)
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
    await createAccount(client)
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
    await createAccount(client)
    const flow = new Flow(client, app)
    const { refresh_token, access_token, id_token } = await flow.lastingTokens()
    const code = await flow.code()
    const altered = withOtherCharacter(refresh_token, 30)
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

  test('a refresh token requires the secret of a confidential app, and a public app has none', async ({
    client,
    app,
    appWith,
  }) => {
    await createAccount(client)
    const flow = new Flow(client, app)
    const { refresh_token } = await flow.lastingTokens()
    expectOAuthError(await flow.refresh(refresh_token, { client_secret: undefined }), 401, 'invalid_client')
    const open = new Flow(client, await appWith(CALLBACK, '--public'))
    expect((await open.refresh((await open.lastingTokens()).refresh_token)).status).toBe(200)
  })
})
