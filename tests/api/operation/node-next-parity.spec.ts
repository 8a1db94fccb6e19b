import { readFileSync } from 'node:fs'
import { decodeJwt } from 'jose'
import {
  authenticate,
  authenticationOptions,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signUp,
  WRONG_PASSWORD,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { ENDPOINTS } from '../../support/endpoints'
import {
  expectAuthenticationFailed,
  expectError,
  expectNoSession,
  expectSignedIn,
  expectSignedOut,
} from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { LOGO_SVG, logoFile } from '../../support/logos'
import { exchange, headersOf, rawRequest, statusOf } from '../../support/network/raw-http'
import { prometheus } from '../../support/network/telemetry'
import { CALLBACK, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { postForm, userinfo } from '../../support/openid/requests'
import type { Server } from '../../support/server/server'
import { Authenticator } from '../../support/webauthn/authenticator'
import { APP } from '../../support/your-app/snippets'

const env = {
  RATE_LIMIT_ADDRESS_MAX: '1000',
  CLIENT_ORIGINS: APP,
  APP_LOGO: logoFile(LOGO_SVG),
  APPLE_APPS: 'A1B2C3D4E5.com.example.app',
}

/** The tests of the API drive server.ts; here a server of Next alone answers the same. */
const test = base.extend<{ metrics: Awaited<ReturnType<typeof prometheus>>; next: Server }>({
  metrics: async ({ keep }, use) => use(await keep('metrics', prometheus)),
  next: async ({ startShared, metrics }, use) =>
    use(await startShared({ mode: 'next', env: { ...env, ...metrics.env } })),
})

const alone = 'Next without server.ts'

test("server.ts and Next alone begin an app's request and its logout anew where the session was revoked elsewhere, and lead to no other site from a path that begins like an address", {
  tag: '@pages',
}, async ({ server: node, next }) => {
  for (const server of [node, next]) {
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

    const paths = ['//evil.example', '///evil.example', '/\\evil.example', '/%5Cevil.example', '//evil.example/..']
    for (const path of paths)
      for (const query of ['', '?locale=de', '?forget', '?forget&locale=de']) {
        const response = await exchange(server.port, rawRequest('GET', path + query, { Accept: 'text/html' }))
        const [location = '/'] = headersOf(response).location ?? []
        expect(new URL(location, server.origin).origin, `${path}${query} ${location}`).toBe(server.origin)
      }
  }
})

test('server.ts and Next alone ignore a header by which Next has a page rendered anew, even with the id of the build @promise', {
  tag: '@pages',
}, async ({ server, next }) => {
  const { preview } = JSON.parse(readFileSync('.next/prerender-manifest.json', 'utf8'))
  expect(preview.previewModeId).toMatch(/./)
  const headers = { 'X-Prerender-Revalidate': preview.previewModeId, 'X-Prerender-Revalidate-If-Generated': '1' }
  for (const { port } of [server, next])
    for (const [path, given, status] of [
      ['/signin', headers, 200],
      ['/nowhere', headers, 404],
      ['/api/health', {}, 200],
    ] as const)
      expect(statusOf(await exchange(port, rawRequest('GET', path, given))), path).toBe(status)
})

test(`${alone} answers the health check, the well-known URLs and the logo, and 405 where pages are not only read`, {
  tag: '@pages',
}, async ({ next }) => {
  const client = new Client(next)
  for (const method of ['GET', 'HEAD']) {
    const answer = await client.request(method, '/api/health')
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([200, '', 'no-store'])
    expect(answer.headers).not.toHaveProperty('strict-transport-security')
  }
  expect((await client.get('/.well-known/change-password')).headers.location).toBe('/profile#password')
  const manage = `${next.origin}/passkeys`
  expect((await client.get('/.well-known/passkey-endpoints')).body).toEqual({ enroll: manage, manage })
  expect((await client.get('/.well-known/webauthn')).body).toEqual({ origins: [] })
  expect((await client.get('/.well-known/apple-app-site-association')).body).toEqual({
    webcredentials: { apps: [env.APPLE_APPS] },
  })

  const logo = await client.get('/brand/logo')
  expect([logo.status, logo.text]).toEqual([200, LOGO_SVG])
  expect(logo.headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  })
  const known = { 'If-None-Match': logo.headers.etag ?? '' }
  expect((await client.get('/brand/logo', { headers: known })).status).toBe(304)
  expect((await client.request('POST', '/brand/logo')).status).toBe(405)

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    for (const path of ['/', '/signin', '/profile'])
      expect(statusOf(await exchange(next.port, rawRequest(method, path))), `${method} ${path}`).toBe(405)
  expect(next.output()).not.toMatch(/\n +at /)
})

test(`${alone} measures pages by their path`, { tag: '@pages' }, async ({ next, metrics }) => {
  for (const path of ['/signin?next=%2Fprofile', '/a-page-of-nobody']) await new Client(next).get(path)
  const requests = await metrics.read('http_server_request_duration_count')
  expect(Object.keys(requests)).toEqual(
    expect.arrayContaining([
      'http_request_method="GET",http_route="/signin",http_response_status_code="200"',
      'http_request_method="GET",http_response_status_code="404"',
    ]),
  )
  expect(Object.keys(requests).join()).not.toContain('nobody')
})

test(`${alone} answers pages of a listed origin at three endpoints, and no other page`, { tag: '@pages' }, async ({
  next,
}) => {
  const client = new Client(next)
  await signUp(client)
  const pageOf = (Origin: string) => Object.assign(new Client(next, { headers: { Origin } }), { jar: client.jar })
  const [listed, foreign] = [pageOf(APP), pageOf('https://evil.example')]
  const asking = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' }
  const allowed = { 'access-control-allow-origin': APP, 'access-control-allow-credentials': 'true' }
  for (const path of ['/api/token', '/api/i', '/api/signout']) {
    const preflight = await listed.request('OPTIONS', path, { headers: asking })
    expect([preflight.status, preflight.headers], path).toEqual([204, expect.objectContaining(allowed)])
    const rejected = await foreign.request('OPTIONS', path, { headers: asking })
    expectError(rejected, 403, 'foreign_origin')
    expect(rejected.headers).not.toHaveProperty('access-control-allow-origin')
    const plain = await client.request('OPTIONS', path)
    expectError(plain, 405, 'method_not_allowed')
    expect(plain.headers.allow).toBe('POST')
  }
  expect((await listed.post('/api/i')).headers).toMatchObject(allowed)
  expect(decodeJwt((await listed.post('/api/token')).body.token).aud).toBe(APP)
  const closed = await listed.post('/api/signup', { username: randomName(), password: PASSWORD })
  expectError(closed, 403, 'foreign_origin')
  expect(closed.headers).not.toHaveProperty('access-control-allow-origin')
})

test(`${alone} signs somebody in to an app, and keeps the policy of its pages`, { tag: '@pages' }, async ({
  next: server,
}) => {
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

test(`${alone} answers sign-up, sign-in and both ceremonies`, { tag: '@pages' }, async ({ next: server }) => {
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

test(`${alone} rejects wrong methods, foreign origins and malformed bodies`, { tag: '@pages' }, async ({
  next: server,
}) => {
  const client = new Client(server)
  for (const { path, body } of ENDPOINTS) {
    // Next answers wrong methods itself: 405 without a body.
    expect((await client.request('GET', path)).status, path).toBe(405)
    const foreign = await client.post(path, body, { headers: { Origin: 'https://evil.example' } })
    expectError(foreign, 403, 'foreign_origin')
    expect(foreign.headers['cache-control']).toBe('no-store')
    expect(foreign.headers['x-request-id']).toMatch(/\S/)
    if (body !== undefined)
      expectError(await client.post(path, undefined, { raw: '{}' }), 415, 'unsupported_media_type')
  }
  const headers = { 'Content-Type': 'application/json' }
  const large = await client.post('/api/signin', undefined, { raw: `"${'x'.repeat(1024 * 1024)}"`, headers })
  expectError(large, 413, 'payload_too_large')
  expectError(await client.post('/api/signin', undefined, { raw: '{', headers }), 400, 'invalid_request')
  expect((await client.request('HEAD', '/.well-known/jwks.json')).status).toBe(200)
  expect((await client.get('/api/oauth/token')).status).toBe(405)
})
