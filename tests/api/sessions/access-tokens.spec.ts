import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import {
  authenticate,
  createRecoveryCodes,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { ENDPOINTS } from '../../support/endpoints'
import { expectError, expectSignedIn } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import type { Server } from '../../support/server/server'
import { accessKeyOf, accessTokenFor, resignAccess, verifyWithJose } from '../../support/tokens/access-tokens'
import { Authenticator } from '../../support/webauthn/authenticator'
import { APP } from '../../support/your-app/snippets'

const OTHER = 'https://other.example.com'
const NATIVE = 'capacitor://localhost'

/** A server that other apps rely on. */
const test = base.extend({
  server: async ({ startShared }, use) => {
    const CLIENT_ORIGINS = [APP, OTHER, NATIVE].join(',')
    await use(await startShared({ env: { CLIENT_ORIGINS, RATE_LIMIT_ADDRESS_MAX: '100000' } }))
  },
})

const readKeys = (server: Server) => new Client(server).get('/.well-known/jwks.json')

test('an access token has the claims of RFC 9068 and five minutes', async ({ server }) => {
  const client = new Client(server)
  const { id, username, token: session } = await signUp(client)
  const { status, body } = await client.post('/api/token', { audience: APP })
  expect(status).toBe(200)
  const { kid } = await accessKeyOf(server.secret)
  expect(decodeProtectedHeader(body.token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid })
  const claims = decodeJwt(body.token)
  expect(claims).toEqual({
    iss: server.origin,
    aud: APP,
    client_id: APP,
    sub: id,
    preferred_username: username,
    groups: [],
    amr: ['pwd'],
    auth_time: decodeJwt(session).auth_time,
    iat: expect.any(Number),
    exp: (claims.iat ?? 0) + 300,
    jti: expect.stringMatching(/^\S{16,}$/),
  })
  expect(body.expiresAt).toBe(new Date((claims.exp ?? 0) * 1000).toISOString())
  expect(decodeJwt(await accessTokenFor(client, APP)).jti).not.toBe(claims.jti)
})

test.describe('authentication methods, in our words and in those of RFC 8176', () => {
  const amrOf = async (client: Client) => decodeJwt(await accessTokenFor(client, APP)).amr
  const UNVERIFIED = { flags: { uv: false } }

  test('an access token of a recovery code says recovery and otp', async ({ server }) => {
    const owner = new Client(server)
    const { username } = await signUp(owner)
    const [code] = await createRecoveryCodes(owner)
    const client = new Client(server)
    await signInWithRecoveryCode(client, username, code)
    expect(await amrOf(client)).toEqual(['recovery', 'otp'])
  })

  test('an access token of a passkey says mfa only if the passkey verified its user this time', async ({ server }) => {
    const authenticator = new Authenticator(server.origin)
    const client = new Client(server)
    await signUpWithPasskey(client, authenticator)
    expect(await amrOf(client)).toEqual(['passkey', 'pop', 'mfa'])
    const other = new Client(server)
    await authenticate(other, authenticator, undefined, UNVERIFIED)
    expect(await amrOf(other)).toEqual(['passkey', 'pop'])
    await authenticate(other, authenticator)
    expect(await amrOf(other)).toEqual(['passkey', 'pop', 'mfa'])

    const unverified = new Client(server)
    await signUpWithPasskey(unverified, new Authenticator(server.origin), UNVERIFIED)
    expect(await amrOf(unverified)).toEqual(['passkey', 'pop'])
  })

  test('an access token of a session that replaced another has the methods of the first', async ({ server }) => {
    const authenticator = new Authenticator(server.origin)
    const client = new Client(server)
    await signUpWithPasskey(client, authenticator)
    await client.post('/api/i/signout-everywhere', { exceptThis: true })
    expect(await amrOf(client)).toEqual(['passkey', 'pop', 'mfa'])
    await authenticate(client, authenticator, undefined, UNVERIFIED)
    await client.post('/api/i/signout-everywhere', { exceptThis: true })
    expect(await amrOf(client)).toEqual(['passkey', 'pop'])
  })
})

test('a program names the app that a token is for, and without a listed one gets none', async ({ server }) => {
  const { token } = await signUp(new Client(server))
  const program = new Client(server, { bearer: token })
  expect(decodeJwt(await accessTokenFor(program, NATIVE)).aud).toBe(NATIVE)
  const near = [`${APP}/`, `${APP}.evil.com`, 'https://app.example.com:443', APP.toUpperCase(), 'null', '', 7, [APP]]
  for (const audience of [undefined, ...near, server.origin]) {
    const answer = await program.post('/api/token', { audience })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ audience: expect.stringMatching(/\S/) })
  }
  expectError(await program.post('/api/token'), 400, 'invalid_request')
  expectError(await new Client(server).post('/api/token', { audience: APP }), 401, 'not_signed_in')
})

test('the key set is public, cacheable and derived from the secret, and node:crypto verifies with it', async ({
  server,
}) => {
  const { status, headers, body } = await readKeys(server)
  expect(status).toBe(200)
  const { d, ...publicKey } = await accessKeyOf(server.secret)
  expect(body).toEqual({ keys: [{ ...publicKey, alg: 'ES256', use: 'sig' }] })
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  })
  const client = new Client(server)
  await signUp(client)
  const [header = '', payload = '', signature = ''] = (await accessTokenFor(client, APP)).split('.')
  const key = { key: createPublicKey({ key: body.keys[0], format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  expect(verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
})

test('an access token opens nothing at Latchkey itself', async ({ server }) => {
  const client = new Client(server)
  await signUp(client)
  const token = await accessTokenFor(client, APP)
  const own = await resignAccess(token, server.secret, {
    claims: { aud: server.origin, client_id: server.origin },
  })
  const session = await resignAccess(token, server.secret, { header: { typ: 'session+jwt' } })
  const caller = new Map<string, string>()
  for (const bearer of [token, own, session]) {
    for (const { path, body } of ENDPOINTS.filter(({ path }) => path.startsWith('/api/i') || path === '/api/token')) {
      const answer = await new Client(server, { bearer, stepUp: token }).post(path, body)
      expectError(answer, 401, 'not_signed_in')
      caller.set(path, answer.body.code)
    }
    const cookies = new Client(server)
    for (const name of ['latchkey-session', 'latchkey-device', '__Host-session']) cookies.jar.set(name, bearer)
    expectError(await cookies.post('/api/i'), 401, 'not_signed_in')
  }
  expect(caller.size).toBeGreaterThan(10)
  await expectSignedIn(client)
  expectError(
    await client.post('/api/i/delete', undefined, { headers: { 'Latchkey-Step-Up': token } }),
    403,
    'reauthentication_required',
  )
})

test('access tokens end no later than their session, and verify while the secret changes, those of a dropped secret no longer', async ({
  start,
}) => {
  const [OLD, NEW] = [randomBytes(48).toString('base64'), randomBytes(48).toString('base64')]
  const env = { CLIENT_ORIGINS: APP, JWT_EXPIRES_IN: '2m' }
  const first = await start({ env: { ...env, JWT_SECRET: OLD, JWT_SECRET_PREVIOUS: NEW } })
  const client = new Client(first)
  const { token: session } = await signUp(client)
  const old = await accessTokenFor(client, APP)
  expect(decodeJwt(old).exp).toBe(decodeJwt(session).exp)
  const kids = [(await accessKeyOf(OLD)).kid, (await accessKeyOf(NEW)).kid]
  const kidsOf = async (server: Server) => (await readKeys(server)).body.keys.map(({ kid }: { kid: string }) => kid)
  // A service that keeps the key set for a while knows the new key before it signs.
  expect(await kidsOf(first)).toEqual(kids)

  const shared = { ...env, APP_ORIGIN: first.origin }
  const swapped = await start({ beside: first, env: { ...shared, JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD } })
  expect(await kidsOf(swapped)).toEqual([...kids].reverse())
  const young = await accessTokenFor(new Client(swapped, { bearer: session }), APP)
  expect(decodeProtectedHeader(young).kid).toBe(kids[1])
  for (const token of [old, young]) {
    await verifyWithJose(swapped, token, APP)
    await verifyWithJose(first, token, APP)
  }

  const dropped = await start({ beside: first, env: { ...shared, JWT_SECRET: NEW } })
  expect(await kidsOf(dropped)).toEqual([kids[1]])
  await verifyWithJose(dropped, young, APP)
  await expect(verifyWithJose(dropped, old, APP)).rejects.toThrow(/no applicable key/)
})
