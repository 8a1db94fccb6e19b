import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { createAccount, signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError, expectSignedIn } from '../../support/expectations'
import { CALLBACK, expect, registerApp, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { expectEnded, nextOf, requestOf, userinfo } from '../../support/openid/requests'
import { openSealed } from '../../support/openid/signing-keys'
import { accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { executeSql } from '../../support/storage/sql'
import { accessKeyOf } from '../../support/tokens/access-tokens'
import { now, resign, unsecured } from '../../support/tokens/tokens'

test('userinfo takes an access token of an app and no other kind', async ({ client, another, app }) => {
  const { token, stepUp } = await createAccount(client)
  const tokens = await new Flow(client, app).tokens()
  const request = requestOf(await new Flow(client, app).ask({ prompt: 'consent' }))
  const started = new URLSearchParams(nextOf(await new Flow(another(), app).ask()).split('?')[1]).get(
    'latchkey_interaction',
  )
  const code = await new Flow(client, app).code()
  for (const wrong of [tokens.id_token, token, stepUp, request, started, code, 'x', 'a.b.c'])
    await expectEnded(client, wrong ?? '')
  expect((await client.get('/api/oauth/userinfo')).status).toBe(401)
})

test('an access token is for userinfo, whose issuer its aud names, and no other audience opens it', async ({
  client,
  app,
  server,
}) => {
  const { id } = await createAccount(client)
  const { access_token: token } = await new Flow(client, app).tokens()
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'userinfo+jwt' })
  expect(decodeJwt(token)).toMatchObject({ aud: server.origin, iss: server.origin, client_id: app.id })
  // Apps write tokens into logs: this one does not say whose it is.
  expect(JSON.stringify(decodeJwt(token))).not.toContain(id)
  expect((await userinfo(client, await resign(token, server.secret))).status).toBe(200)
  // Signed by another server.
  await expectEnded(client, await resign(token, 'x'.repeat(48)))
  for (const aud of [app.id, `${server.origin}/`, ['https://api.example.com'], undefined])
    await expectEnded(client, await resign(token, server.secret, { claims: { aud } }))
  for (const claims of [expired(), foreign]) await expectEnded(client, await resign(token, server.secret, { claims }))
  for (const keyOf of ['session', 'access', 'step-up'])
    await expectEnded(client, await resign(token, server.secret, { keyOf }))
  await expectEnded(client, await resign(token, server.secret, { header: { typ: 'at+jwt' } }))
  // Who has the signing key, as for APIs and ID tokens, has none of these.
  await expectEnded(client, await resignWithOwnKey(server, 'at+jwt', token, {}))
  await expectEnded(client, await resignWithOwnKey(server, 'userinfo+jwt', token, {}))
})

test('what an app gets opens no endpoint of accounts, neither as bearer nor as cookie nor as step-up', async ({
  client,
  another,
  app,
}) => {
  await createAccount(client)
  const { access_token, id_token } = await new Flow(client, app).tokens()
  for (const token of [access_token, id_token]) {
    const bearer = another({ bearer: token })
    for (const path of ['/api/i', '/api/token', '/api/i/apps'])
      expectError(await bearer.post(path), 401, 'not_signed_in')
    const cookie = another({ headers: { Cookie: `latchkey-session=${token}; __Secure-access=${token}` } })
    expectError(await cookie.post('/api/i'), 401, 'not_signed_in')
    expect((await bearer.get('/api/forward-auth')).status).toBe(401)
    client.stepUp = token
    expectError(await client.post('/api/i/recovery-codes'), 403, 'reauthentication_required')
  }
})

test('tokens without a signature, by HS256 with the public key, or by a key of /api/token are rejected', async ({
  client,
  app,
  server,
}) => {
  await createAccount(client)
  const { access_token: token, id_token } = await new Flow(client, app).tokens()
  const { keys } = (await client.get('/.well-known/jwks.json')).body
  const [rsa] = keys.filter(({ kty }: { kty: string }) => kty === 'RSA')
  const secretOfModulus = Buffer.from(rsa.n, 'base64url')
  const own = await accessKeyOf(server.secret)
  const forgeriesOf = (genuine: string) => {
    const header = { ...decodeProtectedHeader(genuine), kid: rsa.kid }
    const signed = (key: Parameters<SignJWT['sign']>[0], changes: { alg: string; kid?: string }) =>
      new SignJWT(decodeJwt(genuine)).setProtectedHeader({ ...header, ...changes }).sign(key)
    return Promise.all([
      unsecured(genuine),
      unsecured(genuine, genuine.split('.')[2]),
      signed(secretOfModulus, { alg: 'HS256' }),
      signed(Buffer.from(server.secret), { alg: 'HS256' }),
      signed({ ...own, alg: 'ES256' }, { alg: 'ES256' }),
      signed({ ...own, alg: 'ES256' }, { alg: 'ES256', kid: own.kid }),
      `${genuine.split('.').slice(0, 2).join('.')}.${'A'.repeat(342)}`,
    ])
  }
  for (const forged of await forgeriesOf(token)) await expectEnded(client, forged)
  expect((await userinfo(client, token)).status).toBe(200)
  const errorOf = async (hint: string) =>
    (await new Flow(client, app).answer({ prompt: 'none', id_token_hint: hint })).get('error')
  expect(await errorOf(id_token)).toBeNull()
  for (const hint of [...(await forgeriesOf(id_token)), token]) expect(await errorOf(hint)).toBe('login_required')
})

/** Signs a token again with the key of ID tokens, after changes to its claims. */
function resignWithOwnKey({ databaseUrl, secret }: Server, typ: string, token: string, changes: object) {
  const { kid, privateKey } = openSealed(databaseUrl, secret)
  return new SignJWT({ ...decodeJwt(token), ...changes })
    .setProtectedHeader({ alg: 'RS256', typ, kid })
    .sign(privateKey)
}

/** Claims of a token that expired an hour ago. */
function expired() {
  const [iat, exp] = [-7200, -3600].map((seconds) => now() + seconds)
  return { iat, exp }
}
const foreign = { iss: 'https://other.example.com' }

test('an expired ID token is still a hint, one of another issuer is none', async ({ client, app, server }) => {
  await createAccount(client)
  const { id_token } = await new Flow(client, app).tokens()
  const hinted = async (changes: object) =>
    new Flow(client, app).answer({
      prompt: 'none',
      id_token_hint: await resignWithOwnKey(server, 'JWT', id_token, changes),
    })
  expect((await hinted(expired())).has('code')).toBe(true)
  expect((await hinted(foreign)).get('error')).toBe('login_required')
})

test('who holds JWT_SECRET alone cannot sign an ID token, and the key set of /api/token verifies none', async ({
  client,
  app,
  server,
}) => {
  await createAccount(client)
  const { id_token } = await new Flow(client, app).tokens()
  const own = await accessKeyOf(server.secret)
  const header = { alg: 'ES256', typ: 'JWT', kid: own.kid }
  const forged = await new SignJWT(decodeJwt(id_token)).setProtectedHeader(header).sign({ ...own, alg: 'ES256' })
  const hinted = await new Flow(client, app).answer({ prompt: 'none', id_token_hint: forged })
  expect(hinted.get('error')).toBe('login_required')
  const logout = await client.get(`/api/oauth/logout?${new URLSearchParams({ id_token_hint: forged })}`)
  expect(logout.headers.location).toMatch(/^\/signout\?/)
  await expectSignedIn(client)

  const { keys } = (await client.get('/.well-known/jwks.json')).body
  const ofAccessTokens = createLocalJWKSet({ keys: keys.filter(({ kid }: { kid: string }) => kid === own.kid) })
  await expect(jwtVerify(id_token, ofAccessTokens)).rejects.toThrow('no applicable key')
})

test('a rotation goes unnoticed by apps, whose older ID tokens are hints as before, and with --now the old key is good for nothing at once', async ({
  start,
}) => {
  const server = await start()
  const client = new Client(server)
  const app = await registerApp(server, CALLBACK)
  const { username } = await signUp(client)
  const before = await new Flow(client, app).tokens()
  await accountsJson(server, 'signing-key', 'rotate')
  expect((await userinfo(client, before.access_token)).status).toBe(200)
  const during = await new Flow(client, app).tokens()
  const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  expect(kidOf(during.id_token)).toBe(kidOf(before.id_token))
  // A day later the next key signs, and two hours after that this one is published no more.
  const past = Date.now() - 1000
  executeSql(
    server.databaseUrl,
    `UPDATE "SigningKey" SET "signsFrom" = ${past}; UPDATE "SigningKey" SET "expiresAt" = ${past} WHERE "sequence" = 1`,
  )
  const old = await new Flow(client, app).answer({ prompt: 'none', id_token_hint: before.id_token })
  expect(old.has('code')).toBe(true)
  const byHint = await client.get(`/api/oauth/logout?${new URLSearchParams({ id_token_hint: before.id_token })}`)
  expect(byHint.headers.location).toBe('/signin')

  await signInWithPassword(client, username)
  const next = await new Flow(client, app).tokens()
  expect(kidOf(next.id_token)).not.toBe(kidOf(before.id_token))
  const { kid } = await accountsJson(server, 'signing-key', 'rotate', '--now')
  const hinted = await new Flow(client, app).answer({ prompt: 'none', id_token_hint: next.id_token })
  expect(hinted.get('error')).toBe('login_required')
  // No signing key signed it, so whoever had the leaked one could not make it.
  expect((await userinfo(client, next.access_token)).status).toBe(200)
  const after = await new Flow(client, app).signIn()
  expect(kidOf(after.id_token)).toBe(kid)
})
