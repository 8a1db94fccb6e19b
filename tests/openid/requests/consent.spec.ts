import { createAccount, register, signInWithPassword, signUp, signUpWithPasskey } from '../../support/accounts'
import { expectError } from '../../support/expectations'
import { CALLBACK, expect, registerApp, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { consent, expectEnded, expectOAuthError, isConsent, nextOf, requestOf } from '../../support/openid/requests'
import { accountsJson } from '../../support/operator/accounts-command'
import { executeSql } from '../../support/storage/sql'
import { resign, withOtherSignature } from '../../support/tokens/tokens'

test('the page gets the app, the host that it sends to and the scopes, and nothing that was not asked for @promise', async ({
  client,
  app,
}) => {
  await createAccount(client)
  const asked = await new Flow(client, app).ask({ scope: 'groups openid email' })
  const answer = await client.post('/api/oauth/request', { request: requestOf(asked) })
  expect(answer.body).toEqual({
    app: { name: app.name, host: 'app.example.com' },
    scopes: ['openid', 'email', 'groups'],
    email: null,
    groups: [],
  })
})

test('declining is access_denied, and leaves no grant @promise', async ({ client, app }) => {
  await createAccount(client)
  const query = await new Flow(client, app).answer({}, false)
  expect(query.get('error')).toBe('access_denied')
  expect((await client.post('/api/i/apps')).body.apps).toEqual([])
  expect(isConsent(await new Flow(client, app).ask())).toBe(true)
})

test('more scopes and prompt=consent ask again, fewer do not', async ({ client, app }) => {
  await createAccount(client)
  await new Flow(client, app).code({ scope: 'openid profile' })
  expect(isConsent(await new Flow(client, app).ask({ scope: 'openid' }))).toBe(false)
  expect(isConsent(await new Flow(client, app).ask({ scope: 'openid profile groups' }))).toBe(true)
  const flow = new Flow(client, app)
  expect(isConsent(await flow.ask({ prompt: 'consent' }))).toBe(true)
  expect((await flow.answer({ prompt: 'consent' })).has('code')).toBe(true)
})

test('consents given at once add up their scopes @storage', async ({ client, app }) => {
  await createAccount(client)
  const wanted = ['profile', 'email', 'groups', 'offline_access']
  const asked = await Promise.all(wanted.map((scope) => new Flow(client, app).ask({ scope: `openid ${scope}` })))
  const answers = await Promise.all(asked.map((one) => consent(client, one)))
  for (const answer of answers) expect(new Flow(client, app).toApp(answer).has('code')).toBe(true)
  const { apps } = (await client.post('/api/i/apps')).body
  expect(apps[0].scopes.toSorted()).toEqual(['openid', ...wanted].toSorted())
})

test('a trusted app needs no consent, except with prompt=consent, and the list of apps has each scope that it got', async ({
  client,
  appWith,
}) => {
  const app = await appWith(CALLBACK, '--trusted')
  await createAccount(client)
  const flow = new Flow(client, app)
  expect(flow.toApp(await flow.ask({ prompt: 'none', scope: 'openid' })).has('code')).toBe(true)
  expect(isConsent(await new Flow(client, app).ask({ prompt: 'consent' }))).toBe(true)
  await new Flow(client, app).code({ scope: 'openid groups' })
  const { apps } = (await client.post('/api/i/apps')).body
  expect(apps.map(({ scopes }: { scopes: string[] }) => scopes)).toEqual([['openid', 'groups']])
})

test('an app that is trusted no longer loses its tokens, and asks also who has used it meanwhile', async ({
  client,
  server,
}) => {
  const app = await registerApp(server, CALLBACK, '--trusted')
  await createAccount(client)
  const tokens = await new Flow(client, app).tokens()
  await accountsJson(server, 'app', 'change', app.id, '--no-trusted')
  await expectEnded(client, tokens.access_token)
  expect(isConsent(await new Flow(client, app).ask())).toBe(true)
  expect((await new Flow(client, app).answer()).has('code')).toBe(true)
  expect((await new Flow(client, app).answer({ prompt: 'none' })).has('code')).toBe(true)
})

test('following the redirect of a consent that was taken back, or given again for less, gives no code @promise', async ({
  client,
  app,
}) => {
  await createAccount(client)
  const request = requestOf(await new Flow(client, app).ask({ scope: 'openid groups' }))
  const { location } = (await client.post('/api/oauth/consent', { request, allow: true })).body
  expect((await client.post('/api/i/apps/revoke', { id: app.id })).status).toBe(204)
  expect(isConsent(await client.get(location))).toBe(true)
  expect((await client.post('/api/i/apps')).body.apps).toEqual([])
  await new Flow(client, app).code({ scope: 'openid' })
  expect(isConsent(await client.get(location))).toBe(true)
})

test('a public app on the device always asks, trusted or not @promise', async ({ client, appWith }) => {
  const app = await appWith(
    'com.example.app:/callback',
    'http://127.0.0.1/',
    'https://app.example.com/',
    '--public',
    '--trusted',
  )
  await createAccount(client)
  for (const redirectUri of ['com.example.app:/callback', 'http://127.0.0.1:4711/']) {
    const asked = await new Flow(client, { ...app, redirectUri }).ask()
    expect(isConsent(asked)).toBe(true)
    expect((await consent(client, asked)).headers.location).toMatch(/code=/)
    expect(isConsent(await new Flow(client, { ...app, redirectUri }).ask())).toBe(true)
  }
  const asked = await new Flow(client, { ...app, redirectUri: 'com.example.app:/callback' }).ask()
  const shown = await client.post('/api/oauth/request', { request: requestOf(asked) })
  expect(shown.body.app.host).toBe('com.example.app')
  const web = new Flow(client, { ...app, redirectUri: 'https://app.example.com/' })
  expect(web.toApp(await web.ask()).has('code')).toBe(true)
})

test.describe('a consent request', () => {
  test('a consent request can be answered once @promise', async ({ client, app }) => {
    await createAccount(client)
    const request = requestOf(await new Flow(client, app).ask())
    const answers = await Promise.all([1, 2, 3].map(() => client.post('/api/oauth/consent', { request, allow: true })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expectError(await client.post('/api/oauth/consent', { request, allow: false }), 400, 'invalid_request')
    expectError(await client.post('/api/oauth/request', { request }), 400, 'invalid_request')
  })

  test('a consent request of another session, of another account, altered or of another kind is rejected @promise', async ({
    client,
    another,
    app,
    server,
  }) => {
    const { username, token } = await signUp(client)
    const request = requestOf(await new Flow(client, app).ask())
    const elsewhere = another()
    expect((await signInWithPassword(elsewhere, username)).status).toBe(200)
    const stranger = another()
    await signUp(stranger)
    for (const other of [elsewhere, stranger])
      for (const path of ['/api/oauth/request', '/api/oauth/consent'])
        expectError(await other.post(path, { request, allow: true }), 400, 'invalid_request')
    const [head, body] = request.split('.')
    const start = new URLSearchParams(nextOf(await new Flow(another(), app).ask()).split('?')[1]).get(
      'latchkey_interaction',
    )
    for (const wrong of [withOtherSignature(request), '', 'x', token, start, `${head}.${body}.`]) {
      const answer = await client.post('/api/oauth/consent', { request: wrong, allow: true })
      expectError(answer, 400, 'invalid_request')
      expect(Object.keys(answer.body.fields)).toEqual(['request'])
    }
    const now = Math.floor(Date.now() / 1000)
    const expired = await resign(request, server.secret, { claims: { iat: now - 3600, exp: now - 60 } })
    expectError(await client.post('/api/oauth/consent', { request: expired, allow: true }), 400, 'invalid_request')
    expectError(await another().post('/api/oauth/consent', { request, allow: true }), 401, 'not_signed_in')
    // None of these has used it up.
    expect((await client.post('/api/oauth/consent', { request, allow: true })).status).toBe(200)
  })

  test('a consent request is still good after its grant could not be stored', async ({ server, client, another }) => {
    const app = await registerApp(server, CALLBACK)
    const earlier = another()
    await createAccount(earlier)
    await new Flow(earlier, app).code()
    await createAccount(client)
    const body = { request: requestOf(await new Flow(client, app).ask()), allow: true }
    const database = server.stores.DATABASE_URL ?? ''
    // The app's second grant breaks this rule.
    executeSql(database, `CREATE UNIQUE INDEX "planted" ON "Grant" ("appId") WHERE "appId" = '${app.id}'`)
    try {
      expectError(await client.post('/api/oauth/consent', body), 500, 'internal_error')
    } finally {
      executeSql(database, 'DROP INDEX "planted"')
    }
    expect((await client.post('/api/oauth/consent', body)).status).toBe(200)
    expectError(await client.post('/api/oauth/consent', body), 400, 'invalid_request')
  })

  test('a consent request cannot be answered from another site @promise', async ({ client, app }) => {
    await createAccount(client)
    const request = requestOf(await new Flow(client, app).ask())
    const headers = { Origin: 'https://evil.example' }
    const answer = await client.post('/api/oauth/consent', { request, allow: true }, { headers })
    expectError(answer, 403, 'foreign_origin')
  })

  test("an answer to one consent request does not stand for another request, nor for another session's @promise", async ({
    client,
    another,
    app,
  }) => {
    const { username } = await signUp(client)
    const flow = new Flow(client, app)
    const request = requestOf(await flow.ask({ prompt: 'consent' }))
    const { location } = (await client.post('/api/oauth/consent', { request, allow: true })).body
    const answer = new URLSearchParams(location.split('?')[1]).get('latchkey_consent') ?? ''
    const other = new Flow(client, app)
    expect(isConsent(await other.ask({ prompt: 'consent', latchkey_consent: answer }))).toBe(true)
    const elsewhere = another()
    await signInWithPassword(elsewhere, username)
    expect(isConsent(await elsewhere.get(location))).toBe(true)
    expect(flow.toApp(await client.get(location)).has('code')).toBe(true)
  })
})

test('an account outside the groups of the app reads why, and then the app hears access_denied @promise', async ({
  client,
  appWith,
}) => {
  const app = await appWith(CALLBACK, '--group', 'family')
  await createAccount(client)
  const flow = new Flow(client, app)
  expect(flow.toApp(await flow.ask({ prompt: 'none' })).get('error')).toBe('access_denied')
  const asked = await flow.ask()
  const shown = await client.post('/api/oauth/request', { request: requestOf(asked) })
  expect(shown.body).toMatchObject({ obstacle: 'not_a_member', app: { name: app.name } })
  // Even a page that allowed it would gain nothing.
  const allowed = await consent(client, asked)
  expect(isConsent(allowed)).toBe(true)
  expect((await client.post('/api/i/apps')).body.apps).toEqual([])
  expect(flow.toApp(await consent(client, allowed, false)).get('error')).toBe('access_denied')
})

test('whoever leaves the group of an app on the way gets no further at any step', async ({
  client,
  server,
  appWith,
}) => {
  const group = `group-${Date.now()}`
  const app = await appWith(CALLBACK, '--group', group)
  const { username } = await createAccount(client)
  const join = () => accountsJson(server, 'group', 'add', group, username)
  const leave = () => accountsJson(server, 'group', 'remove', group, username)
  await join()
  const asked = await new Flow(client, app).ask()
  await leave()
  expect(isConsent(await consent(client, asked))).toBe(true)
  expect((await client.post('/api/i/apps')).body.apps).toEqual([])
  await join()
  const { access_token } = await new Flow(client, app).tokens()
  const flow = new Flow(client, app)
  const code = await flow.code()
  await leave()
  expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
  await expectEnded(client, access_token)
  expect((await new Flow(client, app).answer({ prompt: 'none' })).get('error')).toBe('access_denied')
})

test('an app that requires a passkey takes no other session, and goes on with one that a passkey opened @promise', async ({
  client,
  another,
  authenticator,
  appWith,
}) => {
  const app = await appWith(CALLBACK, '--require-passkey')
  const byPasskey = another()
  await signUpWithPasskey(byPasskey, authenticator)
  const { claims } = await new Flow(byPasskey, app).signIn()
  expect(claims).toMatchObject({ acr: 'phr', amr: ['pop', 'mfa'] })

  await signUp(client)
  const flow = new Flow(client, app)
  const unmet = 'unmet_authentication_requirements'
  expect(flow.toApp(await flow.ask({ prompt: 'none' })).get('error')).toBe(unmet)
  const asked = await flow.ask()
  const shown = await client.post('/api/oauth/request', { request: requestOf(asked) })
  expect(shown.body.obstacle).toBe('passkey_required')
  expect(shown.body.next).toContain('latchkey_interaction')
  // A passkey that was only added has not been shown.
  expect((await register(client, authenticator)).status).toBe(201)
  expect(isConsent(await client.get(shown.body.next))).toBe(true)
  // Nothing is remembered of what the page does not offer.
  expect(isConsent(await consent(client, await flow.ask()))).toBe(true)
  expect((await client.post('/api/i/apps')).body.apps).toEqual([])
  expect(flow.toApp(await consent(client, asked, false)).get('error')).toBe(unmet)
})

test('what a password has opened is worth nothing to an app that requires a passkey since then', async ({
  client,
  server,
}) => {
  const app = await registerApp(server, CALLBACK)
  await signUp(client)
  const flow = new Flow(client, app)
  const { access_token } = await flow.tokens()
  const code = await flow.code()
  await accountsJson(server, 'app', 'change', app.id, '--require-passkey')
  expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
  await expectEnded(client, access_token)
})
