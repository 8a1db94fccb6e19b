import { createAccount, signInWithPassword, signUp } from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectError } from '../../support/expectations'
import { CALLBACK, expect, type RegisteredApp, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { expectEnded, postForm, requestOf, userinfo } from '../../support/openid/requests'
import { resignForApp } from '../../support/openid/signing-keys'
import { logLines } from '../../support/server/server-log'
import { resign, withOtherSignature } from '../../support/tokens/tokens'

const RETURN = 'https://app.example.com/signed-out'

const withLogout = (appWith: (...words: string[]) => Promise<RegisteredApp>) =>
  appWith(CALLBACK, '--sign-out-uri', RETURN, '--sign-out-uri', `${RETURN}?from=latchkey`)

const logout = (client: Client, parameters: Record<string, string> | URLSearchParams = {}) =>
  client.get(`/api/oauth/logout?${new URLSearchParams(parameters)}`)

const isQuestion = ({ status, headers }: Answer) => status === 303 && String(headers.location).startsWith('/signout?')

/** Says yes on the page that asks. */
async function confirm(client: Client, answer: Answer): Promise<string> {
  expect(isQuestion(answer), answer.text).toBe(true)
  const confirmed = await client.post('/api/oauth/logout/confirm', { request: requestOf(answer) })
  expect(confirmed.status, confirmed.text).toBe(200)
  return confirmed.body.location
}

const isSignedIn = async (client: Client) => (await client.post('/api/i')).status === 200

test.describe('a hint of this session', () => {
  test('a hint of this session ends it without a question and leads back with state, and prompt=none is login_required after it', async ({
    client,
    appWith,
  }) => {
    const app = await withLogout(appWith)
    await createAccount(client)
    const flow = new Flow(client, app)
    const { id_token, access_token } = await flow.tokens()
    const copy = new Client(client.server)
    for (const [name, value] of client.jar) copy.jar.set(name, value)
    const state = 'a state & more'
    const answer = await logout(client, { id_token_hint: id_token, post_logout_redirect_uri: RETURN, state })
    expect([answer.status, answer.headers.location]).toEqual([303, `${RETURN}?state=a+state+%26+more`])
    expect(answer.headers['clear-site-data']).toBe('"storage"')
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
    expect(client.jar.size).toBe(1)
    expect(await isSignedIn(copy)).toBe(false)
    await expectEnded(client, access_token)
    const again = new Flow(client, app)
    expect(again.toApp(await again.ask({ prompt: 'none' })).get('error')).toBe('login_required')
  })

  test('a hint of this session ends it also with client_id, with an address that has a query, without state, and without an address', async ({
    client,
    appWith,
  }) => {
    const app = await withLogout(appWith)
    const { username } = await signUp(client)
    const cases: [Record<string, string>, string][] = [
      [{ post_logout_redirect_uri: RETURN, client_id: app.id }, RETURN],
      [{ post_logout_redirect_uri: `${RETURN}?from=latchkey`, state: 's' }, `${RETURN}?from=latchkey&state=s`],
      [{}, '/signin'],
      [{ state: 's' }, '/signin'],
    ]
    for (const [parameters, location] of cases) {
      await signInWithPassword(client, username)
      const { id_token } = await new Flow(client, app).tokens()
      const answer = await logout(client, { id_token_hint: id_token, ...parameters })
      expect([answer.status, answer.headers.location]).toEqual([303, location])
      expect(await isSignedIn(client)).toBe(false)
    }
  })

  test('a hint of this session is accepted after it has expired, and after the session took the place of the one that it names', async ({
    client,
    appWith,
    server,
  }) => {
    const app = await withLogout(appWith)
    await createAccount(client)
    const { id_token } = await new Flow(client, app).tokens()
    expect((await client.post('/api/i/signout-everywhere', { exceptThis: true })).status).toBe(200)
    const [iat, exp] = [60, 30].map((days) => Math.floor(Date.now() / 1000) - days * 86_400)
    const expired = await resignForApp(server, id_token, { iat, exp })
    const late = await logout(client, { id_token_hint: expired, post_logout_redirect_uri: RETURN })
    expect(late.headers.location).toBe(RETURN)
    expect(await isSignedIn(client)).toBe(false)
  })

  test("a logout by hint leaves the owner's other sessions, their access tokens and refresh tokens, and is in activity and the security log", async ({
    client,
    another,
    appWith,
    server,
  }) => {
    const app = await withLogout(appWith)
    const { id, username } = await signUp(client)
    const other = another()
    await signInWithPassword(other, username)
    const flow = new Flow(client, app)
    const { id_token, refresh_token } = await flow.lastingTokens()
    const kept = await new Flow(other, app).tokens()
    await logout(client, { id_token_hint: id_token, post_logout_redirect_uri: RETURN })
    expect((await eventsOf(other, 'changes'))[0]).toMatchObject({ type: 'signed_out_by_app', app: app.name })
    expect((await flow.refresh(refresh_token)).status).toBe(200)
    expect((await userinfo(other, kept.access_token)).status).toBe(200)
    const lines = logLines(server.output()).filter(
      ({ account, event }) => account === id && event === 'signed_out_by_app',
    )
    expect(lines.at(-1)).toMatchObject({ event: 'signed_out_by_app', outcome: 'success', app: app.id })
  })
})

test.describe('requests without a hint of this session', () => {
  test("a hint of the account's other session asks, and then leads back @promise", async ({
    client,
    another,
    appWith,
  }) => {
    const app = await withLogout(appWith)
    const { username } = await signUp(client)
    const other = another()
    await signInWithPassword(other, username)
    const { id_token } = await new Flow(client, app).tokens()
    const answer = await logout(other, { id_token_hint: id_token, post_logout_redirect_uri: RETURN, state: 's' })
    expect(isQuestion(answer)).toBe(true)
    expect(await isSignedIn(other)).toBe(true)
    const shown = await other.post('/api/oauth/logout/request', { request: requestOf(answer) })
    expect(shown.body).toEqual({ app: { name: app.name } })
    expect(await confirm(other, answer)).toBe(`${RETURN}?state=s`)
    expect([await isSignedIn(other), await isSignedIn(client)]).toEqual([false, true])
  })

  test('a logout request with client_id alone asks, and then leads back', async ({ client, appWith }) => {
    const app = await withLogout(appWith)
    await createAccount(client)
    const answer = await logout(client, { client_id: app.id, post_logout_redirect_uri: RETURN })
    expect(await confirm(client, answer)).toBe(RETURN)
    expect(await isSignedIn(client)).toBe(false)
  })

  test('a logout request with no parameters, with a state alone or with an address and no app asks, and leads nowhere else', async ({
    client,
    appWith,
  }) => {
    await withLogout(appWith)
    const { username } = await signUp(client)
    for (const parameters of [{}, { state: 's' }, { post_logout_redirect_uri: RETURN }, { client_id: 'unknown' }]) {
      const answer = await logout(client, parameters)
      const shown = await client.post('/api/oauth/logout/request', { request: requestOf(answer) })
      expect(shown.body).toEqual({ app: null })
      expect(await confirm(client, answer)).toBe('/signin')
      expect(await isSignedIn(client)).toBe(false)
      await signInWithPassword(client, username)
    }
  })

  test('whoever is signed out already goes back at once, by hint or client_id, and else to the sign-in page', async ({
    client,
    another,
    appWith,
  }) => {
    const app = await withLogout(appWith)
    await createAccount(client)
    const { id_token } = await new Flow(client, app).tokens()
    const nobody = another()
    for (const who of [{ id_token_hint: id_token }, { client_id: app.id }])
      expect((await logout(nobody, { ...who, post_logout_redirect_uri: RETURN })).headers.location).toBe(RETURN)
    expect((await logout(nobody)).headers.location).toBe('/signin')
  })

  test('a logout without a session sends no Clear-Site-Data, which an image on another site could abuse', async ({
    client,
    another,
    app,
  }) => {
    const { token } = await createAccount(client)
    await client.post('/api/signout')
    const ended = another()
    ended.jar.set('latchkey-session', token)
    for (const who of [another(), ended]) {
      const answer = await logout(who, { client_id: app.id })
      expect([answer.status, answer.headers.location]).toEqual([303, '/signin'])
      expect(answer.headers).not.toHaveProperty('clear-site-data')
    }
    expect(ended.jar.has('latchkey-session')).toBe(false)
  })
})

test.describe('rejected parameters and answers', () => {
  test('an address that is not registered, or has another query, asks even with a hint of this session, says why, and is never followed @promise', async ({
    client,
    appWith,
  }) => {
    const app = await withLogout(appWith)
    const { username } = await signUp(client)
    for (const address of [`${RETURN}?more=1`, `${RETURN}/`, CALLBACK, 'https://evil.example/', '//evil.example']) {
      await signInWithPassword(client, username)
      const { id_token } = await new Flow(client, app).tokens()
      const byClient = await logout(client, { client_id: app.id, post_logout_redirect_uri: address })
      expect(isQuestion(byClient)).toBe(true)
      const byHint = await logout(client, { id_token_hint: id_token, post_logout_redirect_uri: address, state: 's' })
      for (const answer of [byClient, byHint]) {
        const shown = await client.post('/api/oauth/logout/request', { request: requestOf(answer) })
        expect(shown.body).toEqual({ app: { name: app.name }, unregistered: true })
      }
      expect(await confirm(client, byHint)).toBe('/signin')
      expect(await isSignedIn(client)).toBe(false)
      expect((await logout(client, { client_id: app.id, post_logout_redirect_uri: address })).headers.location).toBe(
        '/signin',
      )
      await signInWithPassword(client, username)
      const asked = await logout(client, { client_id: app.id, post_logout_redirect_uri: address })
      expect(await confirm(client, asked)).toBe('/signin')
    }
  })

  test('a hint that was altered, has no signature or is another kind of token asks, and leads nowhere else', async ({
    client,
    app,
    appWith,
    server,
  }) => {
    const own = await withLogout(appWith)
    const { token } = await createAccount(client)
    const { id_token, access_token } = await new Flow(client, own).tokens()
    const other = await new Flow(client, app).tokens()
    const [, body = '', signature = ''] = id_token.split('.')
    const encoded = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
    const none = encoded({ alg: 'none', typ: 'JWT' })
    const hints = [
      withOtherSignature(id_token),
      `${none}.${body}.`,
      `${none}.${body}.${signature}`,
      `${encoded({ alg: 'RS256', typ: 'JWT', kid: ['x'.repeat(43)] })}.${body}.${signature}`,
      await resign(id_token, server.secret, { header: { alg: 'HS256' } }),
      access_token,
      token,
      'x',
    ]
    const back = { post_logout_redirect_uri: RETURN, client_id: own.id }
    for (const id_token_hint of hints) {
      const answer = await logout(client, { ...back, id_token_hint })
      expect(isQuestion(answer), id_token_hint).toBe(true)
      const shown = await client.post('/api/oauth/logout/request', { request: requestOf(answer) })
      expect(shown.body, id_token_hint).toEqual({ app: null })
    }
    // Another app's, which `client_id` denies, and without it has no such address.
    const foreign = await logout(client, { ...back, id_token_hint: other.id_token })
    expect(await confirm(client, foreign)).toBe('/signin')
    const nobody = new Client(client.server)
    for (const id_token_hint of [...hints, other.id_token])
      expect((await logout(nobody, { ...back, id_token_hint })).headers.location).toBe('/signin')
  })

  test("another account's hint asks, and leads nowhere else", async ({ client, another, appWith }) => {
    const app = await withLogout(appWith)
    await createAccount(client)
    const { id_token } = await new Flow(client, app).tokens()
    const stranger = another()
    await createAccount(stranger)
    const answer = await logout(stranger, { id_token_hint: id_token, post_logout_redirect_uri: RETURN })
    expect(isQuestion(answer)).toBe(true)
    expect(await isSignedIn(stranger)).toBe(true)
    expect(await confirm(stranger, answer)).toBe('/signin')
    expect(await isSignedIn(client)).toBe(true)
  })

  test('a parameter of a logout request without a value counts as omitted', async ({ client, another, appWith }) => {
    const app = await withLogout(appWith)
    const { username } = await signUp(client)
    const back = { post_logout_redirect_uri: RETURN, state: '' }
    const { id_token } = await new Flow(client, app).tokens()
    expect((await logout(client, { ...back, id_token_hint: id_token, client_id: '' })).headers.location).toBe(RETURN)
    await signInWithPassword(client, username)
    expect(await confirm(client, await logout(client, { ...back, id_token_hint: '', client_id: app.id }))).toBe(RETURN)
    const byClient = await logout(another(), { ...back, id_token_hint: '', client_id: app.id })
    expect(byClient.headers.location).toBe(RETURN)
  })

  test('a logout request that repeats a parameter asks, and leads nowhere else', async ({ client, appWith }) => {
    const app = await withLogout(appWith)
    await createAccount(client)
    const { id_token } = await new Flow(client, app).tokens()
    const good = { id_token_hint: id_token, post_logout_redirect_uri: RETURN }
    const twice = new URLSearchParams([...Object.entries(good), ['post_logout_redirect_uri', 'https://evil.example/']])
    expect(await confirm(client, await logout(client, twice))).toBe('/signin')
  })

  test('a logout request of another session, altered, expired or sent by another site is rejected', async ({
    client,
    another,
    appWith,
    server,
  }) => {
    const app = await withLogout(appWith)
    const { username } = await signUp(client)
    const request = requestOf(await logout(client, { client_id: app.id }))
    const elsewhere = another()
    await signInWithPassword(elsewhere, username)
    const now = Math.floor(Date.now() / 1000)
    const expired = await resign(request, server.secret, { claims: { iat: now - 3600, exp: now - 60 } })
    for (const path of ['/api/oauth/logout/request', '/api/oauth/logout/confirm']) {
      expectError(await elsewhere.post(path, { request }), 400, 'invalid_request')
      for (const wrong of [expired, withOtherSignature(request), ''])
        expectError(await client.post(path, { request: wrong }), 400, 'invalid_request')
      expectError(await another().post(path, { request }), 401, 'not_signed_in')
      const headers = { Origin: 'https://evil.example' }
      expectError(await client.post(path, { request }, { headers }), 403, 'foreign_origin')
    }
    expect(await isSignedIn(client)).toBe(true)
    expect(await isSignedIn(elsewhere)).toBe(true)
  })
})

test('a logout by POST is answered 303 to the same request by GET', async ({ client, app }) => {
  const form = new URLSearchParams({ client_id: app.id, post_logout_redirect_uri: RETURN, state: 's' })
  const headers = { Origin: 'https://app.example.com', 'Sec-Fetch-Site': 'cross-site' }
  const answer = await postForm(client, '/api/oauth/logout', form, headers)
  expect([answer.status, answer.headers.location]).toEqual([303, `/api/oauth/logout?${form}`])
})

test('ui_locales goes on to the question, and sets no cookie', async ({ client }) => {
  await createAccount(client)
  const answer = await logout(client, { ui_locales: 'xx de-AT fr' })
  expect(answer.headers.location).toMatch(/&ui_locales=xx\+de-AT\+fr$/)
  expect(answer.cookies).toEqual([])
})
