import {
  authenticate,
  authenticationOptions,
  changeUsername,
  createRecoveryCodes,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  WRONG_PASSWORD,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { ENDPOINTS } from '../../support/endpoints'
import { eventsOf } from '../../support/events'
import {
  expectAuthenticationFailed,
  expectError,
  expectNoSession,
  expectSignedIn,
  expectSignedOut,
} from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { exchange, headersOf, rawRequest } from '../../support/network/raw-http'
import { CALLBACK, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { postForm, userinfo } from '../../support/openid/requests'
import type { Mode, Server } from '../../support/server/server'
import { Authenticator } from '../../support/webauthn/authenticator'

/** The tests of the API drive server.ts; here a server of Next alone answers the same. */
const test = base.extend<{ serverIn: (mode: Mode) => Promise<Server> }>({
  serverIn: async ({ startShared }, use) =>
    use((mode) => startShared({ mode, env: { RATE_LIMIT_ADDRESS_MAX: '1000' } })),
})

const alone = 'Next without server.ts'

for (const [entry, mode] of [
  ['server.ts', 'node'],
  [alone, 'next'],
] as const) {
  test(`${entry} begins an app's request and its logout anew where the session was revoked elsewhere`, {
    tag: '@pages',
  }, async ({ serverIn }) => {
    const server = await serverIn(mode)
    const client = new Client(server)
    const app = await registerApp(server, CALLBACK)
    const { token } = await signUp(client)
    const flow = new Flow(client, app)
    const pages = [await flow.ask(), await client.get(`/api/oauth/logout?client_id=${app.id}`)]
    const [consent = '', signOut = ''] = pages.map(({ headers }) => String(headers.location))
    expect((await client.get(consent)).status).toBe(200)
    expect((await new Client(server, { bearer: token }).post('/api/signout')).status).toBe(204)
    expect((await client.get(consent)).headers.location).toBe(flow.path())
    expect((await client.get(signOut)).headers.location).toBe(`/api/oauth/logout?client_id=${app.id}`)
    expect((await client.get('/signout?request=none')).headers.location).toBe('/api/oauth/logout')
  })

  test(`${entry} leads to no other site from a path that begins like an address`, { tag: '@pages' }, async ({
    serverIn,
  }) => {
    const server = await serverIn(mode)
    for (const path of [
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '/%5Cevil.example',
      '//evil.example/..',
    ])
      for (const query of ['', '?locale=de', '?forget', '?forget&locale=de']) {
        const response = await exchange(server.port, rawRequest('GET', path + query, { Accept: 'text/html' }))
        const [location = '/'] = headersOf(response).location ?? []
        expect(new URL(location, server.origin).origin, `${path}${query} ${location}`).toBe(server.origin)
      }
  })
}

test(`${alone} signs somebody in to an app, and keeps the policy of its pages`, { tag: '@pages' }, async ({
  serverIn,
}) => {
  const server = await serverIn('next')
  const client = new Client(server)
  const app = await registerApp(server, CALLBACK)
  const form = await new Flow(client, app).ask({ response_mode: 'form_post', prompt: 'none' })
  expect(form.text).toMatch(
    /<meta http-equiv="Content-Security-Policy" content="[^"]*form-action https:\/\/app\.example\.com;/,
  )
  expect(form.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(form.headers['x-content-type-options']).toBe('nosniff')
  const { id } = await signUp(client)
  const flow = new Flow(client, app)
  const { claims, access_token } = await flow.signIn()
  expect(claims.sub).toBe(id)
  expect((await userinfo(client, access_token)).body.sub).toBe(id)
  const byPost = await postForm(client, '/api/oauth/authorize', flow.parameters())
  expect([byPost.status, byPost.headers.location]).toEqual([303, flow.path()])
})

test(`${alone} answers sign-up, sign-in and both ceremonies`, { tag: '@pages' }, async ({ serverIn }) => {
  const server = await serverIn('next')
  const authenticator = new Authenticator(server.origin)
  const client = new Client(server)

  const { username, id, token, answer } = await signUp(client)
  expect(answer.cookies.map(({ name }) => name).sort()).toEqual(['latchkey-device', 'latchkey-session'])
  expectError(await client.post('/api/signup', { username, password: PASSWORD }), 409, 'username_taken')
  expect((await expectSignedIn(client)).id).toBe(id)

  expect((await register(client, authenticator)).status).toBe(201)
  expect((await expectSignedIn(client)).passkeys).toHaveLength(1)
  expectError(await client.post('/api/auth/register/options', { username: randomName() }), 400, 'invalid_request')

  const out = await client.post('/api/signout')
  expect([out.status, out.text]).toEqual([204, ''])
  await expectSignedOut(new Client(server, { bearer: token }))

  const page = new Client(server, { page: true })
  const signedIn = await signInWithPassword(page, username)
  expect(signedIn.status).toBe(200)
  expect(signedIn.body).not.toHaveProperty('token')
  expectAuthenticationFailed(await signInWithPassword(new Client(server), username, WRONG_PASSWORD))

  const byPasskey = new Client(server)
  expect((await authenticate(byPasskey, authenticator, username)).body.user.id).toBe(id)
  expect((await expectSignedIn(byPasskey)).session.methods).toEqual(['passkey'])
  const options = await authenticationOptions(client)
  const assertions = Array.from({ length: 5 }, () =>
    new Client(server).post('/api/auth/login/verify', authenticator.get(options)),
  )
  expect((await Promise.all(assertions)).map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])

  const made = authenticator.create(await registrationOptions(new Client(server), randomName()), {
    origin: 'https://evil.example',
  })
  expectNoSession(await new Client(server).post('/api/auth/register/verify', made))
})

test(`${alone} lets the owner of an account manage it`, { tag: '@pages' }, async ({ serverIn }) => {
  const server = await serverIn('next')
  const authenticator = new Authenticator(server.origin)
  const client = new Client(server)
  await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const [code] = await createRecoveryCodes(client)
  const id = authenticator.passkeys[0]?.id
  const username = randomName()
  expect((await client.post('/api/i/passkeys/rename', { id, name: 'Phone' })).status).toBe(204)
  expect((await changeUsername(client, username)).status).toBe(200)
  const password = 'another good password'
  expect((await client.post('/api/i/password', { password, currentPassword: PASSWORD })).status).toBe(200)
  expect((await signInWithPassword(client, username, password)).status).toBe(200)
  expect((await client.post('/api/i/passkeys/remove', { id })).status).toBe(204)
  const fresh = new Client(server)
  expect((await signInWithRecoveryCode(fresh, username, code)).status).toBe(200)
  expect((await expectSignedIn(fresh)).session.methods).toEqual(['recovery'])
  const types = (await eventsOf(fresh)).map(({ type }) => type)
  expect(types.slice(0, 3)).toEqual(['signed_in', 'passkey_removed', 'reauthenticated'])
  expect((await fresh.post('/api/i/signout-everywhere')).status).toBe(204)
  await expectSignedOut(client)
  expect((await signInWithPassword(client, username, password)).status).toBe(200)
  expect((await client.post('/api/i/delete')).status).toBe(204)
  expectAuthenticationFailed(await signInWithPassword(client, username, password))
})

test(`${alone} rejects wrong methods, foreign origins and malformed bodies`, { tag: '@pages' }, async ({
  serverIn,
}) => {
  const server = await serverIn('next')
  const client = new Client(server)
  for (const { path, body } of ENDPOINTS) {
    // Next answers wrong methods itself: 405 without a body.
    for (const method of ['GET', 'HEAD', 'PUT'])
      expect((await client.request(method, path)).status, `${method} ${path}`).toBe(405)
    const foreign = await client.post(path, body, { headers: { Origin: 'https://evil.example' } })
    expectError(foreign, 403, 'foreign_origin')
    expect(foreign.headers['cache-control']).toBe('no-store')
    expect(foreign.headers['x-request-id']).toMatch(/\S/)
    if (body === undefined) continue
    const headers = { 'Content-Type': 'application/json' }
    const large = await client.post(path, undefined, { raw: `"${'x'.repeat(1024 * 1024)}"`, headers })
    expectError(large, 413, 'payload_too_large')
    expectError(await client.post(path, undefined, { raw: '{}' }), 415, 'unsupported_media_type')
    expectError(await client.post(path, undefined, { raw: '{', headers }), 400, 'invalid_request')
  }
  expect((await client.request('HEAD', '/.well-known/jwks.json')).status).toBe(200)
  expect((await client.get('/api/oauth/token')).status).toBe(405)
})

test(`${alone} limits password attempts`, { tag: '@pages' }, async ({ serverIn }) => {
  const server = await serverIn('next')
  const { username } = await signUp(new Client(server))
  const attempts = Array.from({ length: 30 }, () => signInWithPassword(new Client(server), username, WRONG_PASSWORD))
  const answers = await Promise.all(attempts)
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(25).fill(429)])
  for (const { status, headers } of answers)
    if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
})
