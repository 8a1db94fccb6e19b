import { decodeJwt } from 'jose'
import { signUp } from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { ENDPOINTS } from '../../support/endpoints'
import { expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { APP } from '../../support/your-app/snippets'

const NATIVE = 'capacitor://localhost'
const UNLISTED = [
  'https://evil.example',
  'https://app.example.com.evil.com',
  'https://app.example.com:8443',
  'http://app.example.com',
  'https://sub.app.example.com',
  `${APP}/`,
  `${APP}, https://evil.example`,
  'capacitor://localhost.evil.com',
  'capacitor://other',
  'capacitor:',
  'javascript:',
  'null',
]
const OPEN = ['/api/token', '/api/i', '/api/signout']

/** A server that pages of other origins may call. */
const test = base.extend({
  server: async ({ startShared }, use) =>
    use(await startShared({ env: { CLIENT_ORIGINS: `${APP},${NATIVE}`, RATE_LIMIT_ADDRESS_MAX: '100000' } })),
})

const corsHeaders = ({ headers }: Answer) => Object.keys(headers).filter((name) => name.startsWith('access-control-'))

/** Asserts that a page of this origin may read a response, and no other. */
function expectReadable({ headers }: Answer, origin: string) {
  expect(headers['access-control-allow-origin']).toBe(origin)
  expect(headers['access-control-allow-credentials']).toBe('true')
  expect(headers.vary).toMatch(/(^|, *)Origin(,|$)/)
}

/** A page of another app on a sibling sub-domain, in the browser of a client that is signed in. */
function pageOf(origin: string, { server, jar }: Client, site = 'same-site') {
  const page = new Client(server, { headers: { Origin: origin, 'Sec-Fetch-Site': site } })
  for (const [name, value] of jar) page.jar.set(name, value)
  return page
}

const preflight = (client: Client, path: string) => {
  const headers = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' }
  return client.request('OPTIONS', path, { headers })
}

test('a page of a listed origin learns who is signed in and gets a token for itself only @promise', async ({
  server,
}) => {
  const client = new Client(server)
  const { id, username } = await signUp(client)
  const page = pageOf(APP, client)
  const account = await page.post('/api/i')
  expect(account.body).toMatchObject({ id, username })
  expectReadable(account, APP)
  for (const body of [undefined, {}, { audience: APP }, { audience: NATIVE }]) {
    const answer = await page.post('/api/token', body)
    expect(answer.status, answer.text).toBe(200)
    expectReadable(answer, APP)
    expect(decodeJwt(answer.body.token)).toMatchObject({ aud: APP, client_id: APP, sub: id })
  }
})

test('a page of a listed origin signs out, and can read errors, too', async ({ server }) => {
  const client = new Client(server)
  const { token } = await signUp(client)
  const signedOut = await pageOf(APP, client).post('/api/signout')
  expect(signedOut.status).toBe(204)
  expectReadable(signedOut, APP)
  expect(signedOut.cookies[0]).toMatchObject({ name: 'latchkey-session', value: '' })
  await expectSignedOut(new Client(server, { bearer: token }))
  const page = new Client(server, { headers: { Origin: APP, 'Sec-Fetch-Site': 'same-site' } })
  const failures = [
    [await page.post('/api/i'), 401, 'not_signed_in'],
    [await page.post('/api/token'), 401, 'not_signed_in'],
    [await page.post('/api/token', undefined, { raw: '{' }), 415, 'unsupported_media_type'],
    [await page.post('/api/token', { padding: 'x'.repeat(70_000) }), 413, 'payload_too_large'],
  ] as const
  for (const [answer, status, code] of failures) {
    expectError(answer, status, code)
    expectReadable(answer, APP)
  }
})

test('a page of a custom scheme sends a bearer, whatever its relation to our site', async ({ server }) => {
  const { id, token } = await signUp(new Client(server))
  for (const site of ['cross-site', 'same-site', undefined]) {
    const headers = { Origin: NATIVE, 'Sec-Fetch-Site': site }
    const app = new Client(server, { bearer: token, headers })
    const answer = await app.post('/api/token', { audience: APP })
    expectReadable(answer, NATIVE)
    expect(decodeJwt(answer.body.token)).toMatchObject({ aud: NATIVE, client_id: NATIVE, sub: id })
  }
})

test('preflights of a listed origin are answered at three endpoints', async ({ server }) => {
  for (const origin of [APP, NATIVE]) {
    const page = new Client(server, { headers: { Origin: origin } })
    for (const path of OPEN) {
      const answer = await preflight(page, path)
      expect([answer.status, answer.text], path).toEqual([204, ''])
      expectReadable(answer, origin)
      expect(answer.headers).toMatchObject({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'Authorization, Content-Type',
      })
    }
  }
})

test('every other endpoint is closed to a listed origin', async ({ server }) => {
  const client = new Client(server)
  await signUp(client)
  const page = pageOf(APP, client)
  const closed = ENDPOINTS.filter(({ path }) => !OPEN.includes(path))
  expect(closed).toHaveLength(ENDPOINTS.length - OPEN.length)
  for (const { path, body } of closed) {
    for (const answer of [await page.post(path, body), await preflight(page, path)]) {
      expectError(answer, 403, 'foreign_origin')
      expect(corsHeaders(answer), path).toEqual([])
    }
  }
  const get = await page.get('/api/i')
  expect(corsHeaders(get)).toEqual([])
  await expectSignedIn(client)
})

test('a page of an unlisted origin gets neither an answer nor a CORS header @promise', async ({ server }) => {
  const client = new Client(server)
  await signUp(client)
  for (const origin of UNLISTED) {
    const page = pageOf(origin, client)
    for (const path of OPEN) {
      for (const answer of [await page.post(path), await preflight(page, path)]) {
        expectError(answer, 403, 'foreign_origin')
        expect(corsHeaders(answer), `${origin} ${path}`).toEqual([])
        expect(answer.cookies).toEqual([])
      }
    }
  }
  await expectSignedIn(client)
})

test('our own pages need no CORS headers, and a program gets none', async ({ server }) => {
  const own = await pageOf(server.origin, new Client(server), 'same-origin').post('/api/i')
  expect([own.status, corsHeaders(own)]).toEqual([401, []])
  const program = await new Client(server).post('/api/i')
  expect([program.status, corsHeaders(program)]).toEqual([401, []])
  expect(program.headers.vary).toMatch(/Origin/)
})

test('a token for an app of its own choice is given to our own pages', async ({ server }) => {
  const client = new Client(server)
  await signUp(client)
  const { body } = await pageOf(server.origin, client, 'same-origin').post('/api/token', { audience: NATIVE })
  expect(decodeJwt(body.token).aud).toBe(NATIVE)
})
