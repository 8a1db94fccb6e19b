import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { createAccount, signUp } from '../../support/accounts'
import { CALLBACK, expect, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { consent, isConsent, postForm, userinfo } from '../../support/openid/requests'
import { logLines } from '../../support/server/server-log'
import { readSql } from '../../support/storage/sql'

test.describe('authorization code flow', () => {
  test('a signed-in person consents once, and the app gets an ID token that verifies with the key set @storage @promise', async ({
    client,
    app,
  }) => {
    const { id, username } = await signUp(client)
    const flow = new Flow(client, app)
    const asked = await flow.ask()
    expect(isConsent(asked)).toBe(true)
    const query = flow.toApp(await consent(client, asked))
    expect(query.get('state')).toBe(flow.state)
    const answer = await flow.exchange(query.get('code') ?? '')
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid profile' })

    const again = await new Flow(client, app).signIn()
    expect(again.claims).toMatchObject({
      sub: id,
      preferred_username: username,
      name: username,
      updated_at: expect.any(Number),
      amr: ['pwd'],
      acr: expect.stringMatching(/:PasswordProtectedTransport$/),
      sid: expect.any(String),
      auth_time: expect.any(Number),
    })
    expect((again.claims.exp ?? 0) - (again.claims.iat ?? 0)).toBe(3600)
    const half = createHash('sha256').update(again.access_token).digest().subarray(0, 16).toString('base64url')
    expect(again.claims.at_hash).toBe(half)
    expect(decodeProtectedHeader(again.id_token)).toMatchObject({ alg: 'RS256', typ: 'JWT', kid: expect.any(String) })
  })

  test('a missing response_type is invalid_request, another than code unsupported_response_type', async ({
    client,
    app,
  }) => {
    const flow = new Flow(client, app)
    expect(flow.toApp(await flow.ask({ response_type: undefined })).get('error')).toBe('invalid_request')
    for (const response_type of ['token', 'id_token', 'code id_token'])
      expect(flow.toApp(await flow.ask({ response_type })).get('error')).toBe('unsupported_response_type')
  })

  test('an authorization request by POST is answered 303 to the same request by GET', async ({ client, app }) => {
    const flow = new Flow(client, app)
    const headers = { Origin: 'https://app.example.com', 'Sec-Fetch-Site': 'cross-site' }
    const answer = await postForm(client, '/api/oauth/authorize', flow.parameters(), headers)
    expect([answer.status, answer.headers.location]).toEqual([303, flow.path()])
  })

  test('a nonce comes back in the ID token, and none is needed', async ({ client, app }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    expect((await flow.signIn()).claims.nonce).toBe(flow.nonce)
    expect((await new Flow(client, app).signIn({ nonce: undefined })).claims).not.toHaveProperty('nonce')
  })

  test('a nonce has at most 512 characters, and is not kept with a refresh token', async ({ client, app, server }) => {
    await createAccount(client)
    const flow = new Flow(client, app)
    const nonce = 'n'.repeat(512)
    const query = flow.toApp(await flow.ask({ nonce: `${nonce}n` }))
    expect([query.get('error'), query.get('state')]).toEqual(['invalid_request', flow.state])
    const { id_token, refresh_token } = await flow.lastingTokens({ nonce })
    expect(decodeJwt(id_token).nonce).toBe(nonce)
    const family = refresh_token.slice(0, 22)
    const kept = `SELECT count("nonce") FROM "Code" WHERE "id" = '${family}'`
    expect(readSql(server.databaseUrl, kept)).toEqual(['0'])
  })

  test('unknown parameters, scopes, prompts and display are ignored, and so are claims_locales', async ({
    client,
    app,
  }) => {
    await signUp(client)
    const extra = {
      scope: 'openid profile address phone unknown',
      display: 'popup',
      claims_locales: 'se',
      extra: 'foobar',
      prompt: 'unknown',
    }
    const tokens = await new Flow(client, app).signIn(extra)
    expect(tokens.scope).toBe('openid profile')
    expect(tokens.claims).not.toHaveProperty('email')
    expect((await new Flow(client, app).answer({ display: 'page' })).has('code')).toBe(true)
  })

  test('the scopes may come in any order, and decide what is released', async ({ client, app }) => {
    const { username } = await signUp(client)
    const all = await new Flow(client, app).signIn({ scope: 'groups email openid profile' })
    expect(all.scope).toBe('openid profile email groups')
    expect(all.claims).toMatchObject({ preferred_username: username, groups: [] })
    expect(all.claims).not.toHaveProperty('email')
    const least = await new Flow(client, app).signIn({ scope: 'openid' })
    for (const claim of ['preferred_username', 'name', 'groups', 'email', 'updated_at'])
      expect(least.claims).not.toHaveProperty(claim)
    expect((await userinfo(client, least.access_token)).body).toEqual({ sub: least.claims.sub })
  })

  test('a parameter without a value counts as omitted, in the request and at the token endpoint', async ({
    client,
    appWith,
  }) => {
    const app = await appWith(CALLBACK, '--no-pkce')
    await createAccount(client)
    const flow = new Flow(client, app)
    expect(flow.toApp(await flow.ask({ response_type: '' })).get('error')).toBe('invalid_request')
    const empty = {
      ...{ prompt: '', max_age: '', nonce: '', login_hint: '', id_token_hint: '', acr_values: '', ui_locales: '' },
      ...{ response_mode: '', request: '', request_uri: '', code_challenge: '', code_challenge_method: '' },
    }
    const answer = await flow.exchange(await flow.code(empty), { code_verifier: '' })
    expect(answer.status, answer.text).toBe(200)
    expect(decodeJwt(answer.body.id_token)).not.toHaveProperty('nonce')
  })

  test('consent, each code and the end of access leave a line in the security log that says whose it is, for which app, and nothing secret @promise', async ({
    client,
    app,
    server,
  }) => {
    const { id } = await createAccount(client)
    const flow = new Flow(client, app)
    expect(flow.toApp(await flow.ask({ prompt: 'none' })).get('error')).toBe('consent_required')
    const code = await flow.code()
    const answer = await flow.ask()
    const lines = () => logLines(server.output())
    const own = () => lines().filter((line) => line.account === id && line.app === app.id)
    expect((await client.post('/api/i/apps/revoke', { id: app.id })).status).toBe(204)
    const events = () => own().flatMap(({ event }) => (event === 'app_refused' ? [] : [event]))
    await expect.poll(events).toEqual(['app_allowed', 'signed_in_to_app', 'signed_in_to_app', 'app_removed'])
    expect(own().filter(({ event }) => event === 'signed_in_to_app')[1]).toMatchObject({
      outcome: 'success',
      app: app.id,
      request: answer.headers['x-request-id'],
    })
    expect(server.output()).not.toContain(code.slice(22))
  })

  test('a request without a state is answered without one, and an answer always says who gives it', async ({
    client,
    app,
  }) => {
    await createAccount(client)
    // `toApp` compares `iss`, of errors as well.
    for (const changes of [{ state: undefined }, { state: '' }, { state: undefined, prompt: 'none login' }])
      expect((await new Flow(client, app).answer(changes)).has('state')).toBe(false)
    const posted = await new Flow(client, app).ask({ response_mode: 'form_post' })
    expect(posted.text).toContain(`name="iss" value="${client.server.origin}"`)
  })

  test('request and request_uri are rejected by name @promise', async ({ client, app }) => {
    const flow = new Flow(client, app)
    expect(flow.toApp(await flow.ask({ request: 'eyJ' })).get('error')).toBe('request_not_supported')
    const byUri = await flow.ask({ request_uri: 'https://app.example.com/r' })
    expect(flow.toApp(byUri).get('error')).toBe('request_uri_not_supported')
  })

  test('a request object is rejected in the response mode and with the state that it names', async ({
    client,
    app,
  }) => {
    const flow = new Flow(client, app)
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const object = (claims: object) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`
    const posted = await flow.ask({
      request: object({ response_mode: 'form_post', state: 'of <it>' }),
      state: undefined,
    })
    expect([posted.status, posted.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const part of [`action="${app.redirectUri}"`, 'value="request_not_supported"', 'value="of &lt;it&gt;"'])
      expect(posted.text).toContain(part)
    const both = flow.toApp(await flow.ask({ request: object({ state: 'of it' }) }))
    expect([both.get('error'), both.get('state')]).toEqual(['request_not_supported', 'of it'])
    for (const claims of [
      { state: 1, response_mode: ['form_post'] },
      { state: '', response_mode: 'fragment' },
    ]) {
      const neither = flow.toApp(await flow.ask({ request: object(claims) }))
      expect([neither.get('error'), neither.get('state')]).toEqual(['request_not_supported', flow.state])
    }
  })
})
