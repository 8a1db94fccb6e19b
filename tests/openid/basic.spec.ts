import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { randomName, signInWithPassword, signUp, signUpWithPasskey } from '../support/accounts'
import {
  challengeOf,
  consent,
  expect,
  expectOAuthError,
  Flow,
  get,
  isConsent,
  nextOf,
  postForm,
  test,
  userinfo,
} from '../support/openid'
import { resign } from '../support/tokens'

test.describe('authorization code flow', () => {
  test('a signed-in person consents once, and the app gets an ID token that verifies with the key set', async ({
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
      sid: expect.any(String),
      auth_time: expect.any(Number),
    })
    expect(again.claims).not.toHaveProperty('acr')
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

  test('unknown parameters, scopes, prompts and display are ignored, and so are claims_locales and claims', async ({
    client,
    app,
  }) => {
    await signUp(client)
    const extra = {
      scope: 'openid profile address phone unknown',
      display: 'popup',
      claims_locales: 'se',
      claims: '{"userinfo":{"name":{"essential":true},"email":null}}',
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
    await signUp(client)
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

  test('a request without a state is answered without one, and an answer always says who gives it', async ({
    client,
    app,
  }) => {
    await signUp(client)
    // `toApp` compares `iss`, of errors as well.
    for (const changes of [{ state: undefined }, { state: undefined, prompt: 'none login' }])
      expect((await new Flow(client, app).answer(changes)).has('state')).toBe(false)
    const posted = await new Flow(client, app).ask({ response_mode: 'form_post' })
    expect(posted.text).toContain(`name="iss" value="${client.server.origin}"`)
  })

  test('a scope without openid is invalid_scope', async ({ client, app }) => {
    const flow = new Flow(client, app)
    for (const scope of [undefined, '', 'profile'])
      expect(flow.toApp(await flow.ask({ scope })).get('error')).toBe('invalid_scope')
  })

  test('request and request_uri are rejected by name', async ({ client, app }) => {
    const flow = new Flow(client, app)
    expect(flow.toApp(await flow.ask({ request: 'eyJ' })).get('error')).toBe('request_not_supported')
    const byUri = await flow.ask({ request_uri: 'https://app.example.com/r' })
    expect(flow.toApp(byUri).get('error')).toBe('request_uri_not_supported')
  })
})

test.describe('userinfo', () => {
  test('answers by GET with header, by POST with header and by POST with body', async ({ client, app }) => {
    const { id, username } = await signUp(client)
    const { access_token: token } = await new Flow(client, app).tokens()
    const Authorization = `Bearer ${token}`
    const claims = { sub: id, preferred_username: username, name: username, updated_at: expect.any(Number) }
    const path = '/api/oauth/userinfo'
    for (const answer of [
      await userinfo(client, token),
      await postForm(client, path, {}, { Authorization }),
      await postForm(client, path, { access_token: token }),
    ]) {
      expect([answer.status, answer.body], answer.text).toEqual([200, claims])
      expect(answer.headers['access-control-allow-origin']).toBe('*')
    }
    const both = await postForm(client, path, { access_token: token }, { Authorization })
    expectOAuthError(both, 400, 'invalid_request')
  })

  test('follows a new username at once', async ({ client, app }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const { access_token, claims } = await flow.signIn()
    const username = randomName()
    expect((await client.post('/api/i/username', { username })).status).toBe(200)
    const { body } = await userinfo(client, access_token)
    expect(body.preferred_username).toBe(username)
    expect(body.updated_at).toBeGreaterThanOrEqual(Number(claims.updated_at))
  })
})

test.describe('client authentication', () => {
  test('client_secret_post and client_secret_basic both work, and Basic is percent-decoded', async ({
    client,
    app,
  }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    expect((await flow.exchange(await flow.code())).status).toBe(200)
    const encoded = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')
    for (const pair of [`${app.id}:${app.secret}`, `${encoded(app.id)}:${encoded(app.secret ?? '')}`]) {
      const another = new Flow(client, app)
      const basic = { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
      const code = await another.code()
      const answer = await another.exchange(code, { client_secret: undefined }, basic)
      expect(answer.status, answer.text).toBe(200)
    }
  })

  test('two ways at once are rejected, and so is another client_id in the body', async ({ client, app }) => {
    const flow = new Flow(client, app)
    const basic = { Authorization: `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString('base64')}` }
    expectOAuthError(await flow.exchange('x', {}, basic), 400, 'invalid_request')
    const other = { client_secret: undefined, client_id: 'another' }
    expectOAuthError(await flow.exchange('x', other, basic), 400, 'invalid_request')
  })

  test('a wrong secret, none and an unknown app are invalid_client, with a challenge where Basic was used', async ({
    client,
    app,
    appWith,
  }) => {
    const flow = new Flow(client, app)
    for (const changes of [
      { client_secret: 'wrong' },
      { client_secret: undefined },
      { client_secret: '' },
      { client_id: 'unknown' },
      { client_id: 'a\0b' },
      { client_id: undefined },
    ]) {
      const answer = await flow.exchange('x', changes)
      expectOAuthError(answer, 401, 'invalid_client')
      expect(answer.headers).not.toHaveProperty('www-authenticate')
    }
    const form = { client_id: undefined, client_secret: undefined }
    for (const pair of [`${app.id}:wrong`, `${app.id}:`, 'nobody:x', '%zz:x', '']) {
      const Authorization = `Basic ${Buffer.from(pair).toString('base64')}`
      const answer = await flow.exchange('x', form, { Authorization })
      expectOAuthError(answer, 401, 'invalid_client')
      expect(answer.headers['www-authenticate']).toMatch(/^Basic /)
    }
    const open = await appWith(CALLBACK_OF_PUBLIC, '--public')
    expectOAuthError(await new Flow(client, open).exchange('x', { client_secret: 'any' }), 401, 'invalid_client')
  })

  test('errors of the authorization endpoint keep that format as well, and no page of another origin can read them', async ({
    client,
    app,
  }) => {
    const path = '/api/oauth/authorize'
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    const wrongMethod = await client.post(path, undefined, { method: 'PUT', headers })
    expectOAuthError(wrongMethod, 405, 'invalid_request')
    expect(wrongMethod.headers.allow).toBe('GET, HEAD, POST')
    const json = await client.post(path, { client_id: app.id }, { headers })
    expectOAuthError(json, 415, 'invalid_request')
    const large = await postForm(client, path, { state: 'x'.repeat(9_000) }, headers)
    expectOAuthError(large, 413, 'invalid_request')
    for (const answer of [wrongMethod, json, large])
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('errors of the protocol keep its format for a wrong method, media type, size and body', async ({
    client,
    app,
  }) => {
    const path = '/api/oauth/token'
    const wrongMethod = await client.post(path, undefined, { method: 'GET' })
    expectOAuthError(wrongMethod, 405, 'invalid_request')
    expect(wrongMethod.headers.allow).toBe('POST')
    expectOAuthError(await client.post(path, { grant_type: 'x' }), 415, 'invalid_request')
    expectOAuthError(await postForm(client, path, { x: 'x'.repeat(70_000) }), 413, 'invalid_request')
    const twice = new URLSearchParams([...new Flow(client, app).parameters(), ['client_id', app.id]])
    expectOAuthError(await postForm(client, path, twice), 400, 'invalid_request')
    const credentials = { client_id: app.id, client_secret: app.secret }
    expectOAuthError(await postForm(client, path, credentials), 400, 'invalid_request')
    const grant = { ...credentials, grant_type: 'password' }
    expectOAuthError(await postForm(client, path, grant), 400, 'unsupported_grant_type')
    const codeless = { ...credentials, grant_type: 'authorization_code' }
    expectOAuthError(await postForm(client, path, codeless), 400, 'invalid_request')
  })

  test('pages of any origin may call the token endpoint and userinfo, without credentials', async ({ client }) => {
    const Origin = 'https://spa.example'
    for (const path of ['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/userinfo']) {
      const headers = { Origin, 'Access-Control-Request-Method': 'POST', 'Sec-Fetch-Site': 'cross-site' }
      const preflight = await client.post(path, undefined, { method: 'OPTIONS', headers })
      expect(preflight.status).toBe(204)
      expect(preflight.headers['access-control-allow-origin']).toBe('*')
      expect(preflight.headers['access-control-allow-headers']).toContain('Authorization')
      const answer = await postForm(client, path, {}, { Origin, 'Sec-Fetch-Site': 'cross-site' })
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })
})

const CALLBACK_OF_PUBLIC = 'http://127.0.0.1/callback'

test.describe('PKCE', () => {
  test('S256 is checked: a wrong verifier, a missing one and plain are rejected', async ({ client, app }) => {
    await signUp(client)
    for (const code_verifier of [undefined, '', 'x'.repeat(43), challengeOf('x')]) {
      const flow = new Flow(client, app)
      expectOAuthError(await flow.exchange(await flow.code(), { code_verifier }), 400, 'invalid_grant')
    }
    const flow = new Flow(client, app)
    for (const changes of [
      { code_challenge: flow.verifier, code_challenge_method: 'plain' },
      { code_challenge: flow.verifier, code_challenge_method: undefined },
      { code_challenge: 'short' },
    ])
      expect(flow.toApp(await flow.ask(changes)).get('error')).toBe('invalid_request')
  })

  test('a missing challenge is rejected, and the description names --no-pkce', async ({ client, app }) => {
    const flow = new Flow(client, app)
    const query = flow.toApp(await flow.ask({ code_challenge: undefined, code_challenge_method: undefined }))
    expect(query.get('error')).toBe('invalid_request')
    expect(query.get('error_description')).toContain('--no-pkce')
  })

  test('with --no-pkce a challenge that is sent is checked, and a verifier without one is rejected', async ({
    client,
    appWith,
  }) => {
    const app = await appWith(CALLBACK, 'com.example.app:/callback', '--no-pkce')
    await signUp(client)
    const none = { code_challenge: undefined, code_challenge_method: undefined }
    const plain = new Flow(client, app)
    expect((await plain.exchange(await plain.code(none), { code_verifier: undefined })).status).toBe(200)
    const downgraded = new Flow(client, app)
    expectOAuthError(await downgraded.exchange(await downgraded.code(none)), 400, 'invalid_grant')
    const checked = new Flow(client, app)
    expectOAuthError(await checked.exchange(await checked.code(), { code_verifier: undefined }), 400, 'invalid_grant')
    const native = new Flow(client, { ...app, redirectUri: 'com.example.app:/callback' })
    const location = String((await native.ask(none)).headers.location)
    expect(location).toMatch(/^com\.example\.app:\/callback\?error=invalid_request/)
  })
})

const CALLBACK = 'https://app.example.com/callback'

test.describe('sign-in', () => {
  test('leads to the sign-in page with a signed start, and from there back to the app', async ({
    client,
    another,
    app,
  }) => {
    const { username } = await signUp(another())
    const flow = new Flow(client, app)
    const next = nextOf(await flow.ask())
    expect(next).toMatch(/^\/api\/oauth\/authorize\?.*latchkey_start=/)
    expect((await signInWithPassword(client, username)).status).toBe(200)
    const asked = await get(client, next)
    expect(flow.toApp(await consent(client, asked)).has('code')).toBe(true)
  })

  test('the session that was there when the request began does not stand for a new credential', async ({
    client,
    app,
    server,
  }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const next = nextOf(await flow.ask({ prompt: 'login' }))
    const query = new URLSearchParams(next.split('?')[1])
    const start = query.get('latchkey_start') ?? ''
    // As if it had begun before that session's credential was shown.
    const { iat = 0 } = decodeJwt(start)
    query.set('latchkey_start', await resign(start, server.secret, { claims: { iat: iat - 60 } }))
    nextOf(await get(client, `/api/oauth/authorize?${query}`))
  })

  test('a session that was given in place of the one before is no new credential, either', async ({
    client,
    app,
    server,
  }) => {
    await signUp(client)
    const next = nextOf(await new Flow(client, app).ask({ prompt: 'login' }))
    expect((await client.post('/api/i/signout-everywhere', { exceptThis: true })).status).toBe(200)
    const query = new URLSearchParams(next.split('?')[1])
    const start = query.get('latchkey_start') ?? ''
    // As if the request had begun some seconds after the sign-in.
    const { iat = 0 } = decodeJwt(start)
    query.set('latchkey_start', await resign(start, server.secret, { claims: { iat: iat + 3 } }))
    nextOf(await get(client, `/api/oauth/authorize?${query}`))
  })

  test('prompt=create leads to the sign-up page', async ({ client, app }) => {
    const flow = new Flow(client, app)
    const next = nextOf(await flow.ask({ prompt: 'create' }), '/signup')
    await signUp(client)
    expect(flow.toApp(await consent(client, await get(client, next))).has('code')).toBe(true)
  })

  test('prompt=login shows the sign-in page again, and only a credential that is shown after it goes on', async ({
    client,
    app,
  }) => {
    const { username } = await signUp(client)
    const before = (await new Flow(client, app).signIn()).claims
    const flow = new Flow(client, app)
    const next = nextOf(await flow.ask({ prompt: 'login' }))
    expect(nextOf(await get(client, next))).toContain('latchkey_start')
    expect((await signInWithPassword(client, username)).status).toBe(200)
    const answer = await flow.exchange(flow.toApp(await get(client, next)).get('code') ?? '')
    expect(answer.status, answer.text).toBe(200)
    const after = (await new Flow(client, app).signIn()).claims
    expect(Number(after.auth_time)).toBeGreaterThanOrEqual(Number(before.auth_time))
    // The same person at the same browser.
    expect(after.sid).toBe(before.sid)
  })

  test('a start of another request does not stand for a credential', async ({ client, app }) => {
    const { username } = await signUp(client)
    const flow = new Flow(client, app)
    const next = nextOf(await flow.ask({ prompt: 'login' }))
    await signInWithPassword(client, username)
    const start = new URLSearchParams(next.split('?')[1]).get('latchkey_start') ?? ''
    nextOf(await new Flow(client, app).ask({ prompt: 'login', latchkey_start: start }))
    nextOf(await flow.ask({ prompt: 'login', latchkey_start: `${start.slice(0, -2)}AA` }))
  })

  test('prompt=none signed out is login_required, signed in with consent it gives the same sub', async ({
    client,
    another,
    app,
  }) => {
    const nobody = new Flow(another(), app)
    expect(nobody.toApp(await nobody.ask({ prompt: 'none' })).get('error')).toBe('login_required')
    await signUp(client)
    const flow = new Flow(client, app)
    expect(flow.toApp(await flow.ask({ prompt: 'none' })).get('error')).toBe('consent_required')
    const { claims } = await flow.signIn()
    expect((await new Flow(client, app).signIn({ prompt: 'none' })).claims.sub).toBe(claims.sub)
    const withLogin = await flow.ask({ prompt: 'none login' })
    expect(flow.toApp(withLogin).get('error')).toBe('invalid_request')
  })

  test('id_token_hint with prompt=none is good for its own account alone', async ({ client, another, app }) => {
    await signUp(client)
    const { id_token } = await new Flow(client, app).signIn()
    const hinted = { prompt: 'none', id_token_hint: id_token }
    expect((await new Flow(client, app).answer(hinted)).has('code')).toBe(true)
    const other = another()
    await signUp(other)
    await new Flow(other, app).signIn()
    expect((await new Flow(other, app).answer(hinted)).get('error')).toBe('login_required')
    const bad = { prompt: 'none', id_token_hint: 'eyJhbGciOiJub25lIn0.e30.' }
    expect((await new Flow(client, app).answer(bad)).get('error')).toBe('login_required')
  })

  test('whoever is not the account that id_token_hint names signs in to it, and gets no answer for another', async ({
    client,
    another,
    app,
  }) => {
    const { username } = await signUp(client)
    const { id_token, claims } = await new Flow(client, app).signIn()
    const other = another()
    const stranger = await signUp(other)
    await new Flow(other, app).signIn()
    const flow = new Flow(other, app)
    const next = nextOf(await flow.ask({ id_token_hint: id_token }))
    nextOf(await get(other, next))
    await signInWithPassword(other, stranger.username)
    expect(flow.toApp(await get(other, next)).get('error')).toBe('login_required')
    await signInWithPassword(other, username)
    const answer = await flow.exchange(flow.toApp(await get(other, next)).get('code') ?? '')
    expect(decodeJwt(answer.body.id_token).sub).toBe(claims.sub)
    // It names nobody, so it stands in nobody's way.
    expect((await new Flow(other, app).answer({ id_token_hint: 'x' })).has('code')).toBe(true)
  })

  test('max_age brings back a later auth_time once it has passed, and the same one before', async ({
    client,
    app,
    server,
  }) => {
    const { username } = await signUp(client)
    await new Flow(client, app).code()
    const session = client.jar.get('session') ?? ''
    const auth_time = Number(decodeJwt(session).auth_time) - 60
    client.jar.set('session', await resign(session, server.secret, { claims: { auth_time } }))
    expect((await new Flow(client, app).signIn({ max_age: '10000' })).claims.auth_time).toBe(auth_time)
    const flow = new Flow(client, app)
    const next = nextOf(await flow.ask({ max_age: '1' }))
    await signInWithPassword(client, username)
    const answer = await flow.exchange(flow.toApp(await get(client, next)).get('code') ?? '')
    expect(decodeJwt(answer.body.id_token).auth_time).toBeGreaterThan(auth_time + 1)
  })

  test('max_age=0 asks for a new credential, max_age=10000 does not', async ({ client, app }) => {
    await signUp(client)
    await new Flow(client, app).signIn()
    expect((await new Flow(client, app).answer({ max_age: '10000', prompt: 'none' })).has('code')).toBe(true)
    const flow = new Flow(client, app)
    expect(flow.toApp(await flow.ask({ max_age: '-1' })).get('error')).toBe('invalid_request')
    nextOf(await new Flow(client, app).ask({ max_age: '0' }))
    expect((await new Flow(client, app).answer({ max_age: '0', prompt: 'none' })).get('error')).toBe('login_required')
  })

  test('acr is phr after a passkey, and acr_values=phr is voluntary', async ({
    client,
    another,
    authenticator,
    app,
  }) => {
    const byPassword = another()
    await signUp(byPassword)
    expect((await new Flow(byPassword, app).signIn({ acr_values: 'phr' })).claims).not.toHaveProperty('acr')
    await signUpWithPasskey(client, authenticator)
    const { claims } = await new Flow(client, app).signIn({ acr_values: 'phr' })
    expect(claims).toMatchObject({ acr: 'phr', amr: ['pop', 'mfa'] })
  })

  test('ui_locales chooses the language of the pages', async ({ client, app }) => {
    const headers = { 'Accept-Language': 'en' }
    const path = new Flow(client, app).path({ ui_locales: 'xx de-CH fr' })
    expect(String((await get(client, path, headers)).headers.location)).toMatch(/&locale=de$/)
    const own = new Flow(client, app).path({ ui_locales: 'en' })
    expect(String((await get(client, own, headers)).headers.location)).not.toMatch(/locale=/)
  })
})
