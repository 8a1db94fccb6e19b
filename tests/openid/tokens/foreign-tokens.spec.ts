import { createLocalJWKSet, decodeJwt, jwtVerify, SignJWT } from 'jose'
import { createAccount, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError, expectSignedIn } from '../../support/expectations'
import { CALLBACK, expect, registerApp, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { expectEnded, isConsent, nextOf, requestOf, userinfo } from '../../support/openid/requests'
import { openSealed, resignForApp } from '../../support/openid/signing-keys'
import { accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { accessKeyOf, accessTokenFor } from '../../support/tokens/access-tokens'
import { now, unsecured } from '../../support/tokens/tokens'

test('userinfo takes an access token of an app and no other kind', async ({ client, another, app, start }) => {
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

  const listed = await start({ env: { CLIENT_ORIGINS: 'https://page.example.com' } })
  const other = new Client(listed)
  await createAccount(other)
  await expectEnded(other, await accessTokenFor(other, 'https://page.example.com'))
  // Signed by another server.
  await expectEnded(other, tokens.access_token)
})

test('an access token is for userinfo, whose issuer its aud names, and no other audience opens it', async ({
  client,
  app,
  server,
}) => {
  await createAccount(client)
  const { access_token } = await new Flow(client, app).tokens()
  expect(decodeJwt(access_token)).toMatchObject({ aud: server.origin, iss: server.origin, client_id: app.id })
  expect((await userinfo(client, await resignForApp(server, access_token, {}))).status).toBe(200)
  for (const aud of [app.id, `${server.origin}/`, ['https://api.example.com'], undefined])
    await expectEnded(client, await resignForApp(server, access_token, { aud }))
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
  const { access_token: token } = await new Flow(client, app).tokens()
  const claims = decodeJwt(token)
  const { keys } = (await client.get('/.well-known/jwks.json')).body
  const [rsa] = keys.filter(({ kty }: { kty: string }) => kty === 'RSA')
  const header = { typ: 'at+jwt', kid: rsa.kid }
  const secretOfModulus = Buffer.from(rsa.n, 'base64url')
  const own = await accessKeyOf(server.secret)
  const forged = [
    unsecured(token),
    unsecured(token, token.split('.')[2]),
    await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secretOfModulus),
    await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(Buffer.from(server.secret)),
    await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'ES256' }).sign({ ...own, alg: 'ES256' }),
    await new SignJWT(claims)
      .setProtectedHeader({ ...header, kid: own.kid, alg: 'ES256' })
      .sign({ ...own, alg: 'ES256' }),
    `${token.split('.').slice(0, 2).join('.')}.${'A'.repeat(342)}`,
  ]
  for (const one of forged) await expectEnded(client, one)
  expect((await userinfo(client, token)).status).toBe(200)
  for (const hint of forged) {
    const flow = new Flow(client, app)
    expect(flow.toApp(await flow.ask({ prompt: 'none', id_token_hint: hint })).get('error')).toBe('login_required')
  }
  // An access token names the account, and is no ID token.
  const flow = new Flow(client, app)
  expect(flow.toApp(await flow.ask({ prompt: 'none', id_token_hint: token })).get('error')).toBe('login_required')
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

test('an access token of another issuer or one that has expired is rejected, also with the right key', async ({
  client,
  app,
  server,
}) => {
  await createAccount(client)
  const { access_token } = await new Flow(client, app).tokens()
  expect((await userinfo(client, await resignWithOwnKey(server, 'at+jwt', access_token, {}))).status).toBe(200)
  for (const changes of [expired(), foreign])
    await expectEnded(client, await resignWithOwnKey(server, 'at+jwt', access_token, changes))
})

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

test('a rotation goes unnoticed by apps, and with --now the old key is good for nothing at once', async ({ start }) => {
  const server = await start()
  const client = new Client(server)
  const app = await registerApp(server, CALLBACK)
  await signUp(client)
  const before = await new Flow(client, app).tokens()
  await accountsJson(server, 'signing-key', 'rotate')
  expect((await userinfo(client, before.access_token)).status).toBe(200)
  const during = await new Flow(client, app).tokens()
  const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  expect(kidOf(during.id_token)).toBe(kidOf(before.id_token))
  const { kid } = await accountsJson(server, 'signing-key', 'rotate', '--now')
  await expectEnded(client, before.access_token)
  const after = await new Flow(client, app).signIn()
  expect(kidOf(after.id_token)).toBe(kid)
})

test('a key that cannot be opened is left, logged with what to do, and another signs', async ({ start }) => {
  const first = await start()
  const app = await registerApp(first, CALLBACK)
  const second = await start({ env: { ...first.stores } })
  const client = new Client(second)
  await signUp(client)
  const { claims } = await new Flow(client, app).signIn()
  expect(claims.aud).toBe(app.id)
  expect(second.output()).toContain('signing-key rotate --now')
  const { keys } = (await client.get('/.well-known/jwks.json')).body
  expect(keys.filter(({ kty }: { kty: string }) => kty === 'RSA')).toHaveLength(2)
  expect(isConsent(await new Flow(client, app).ask())).toBe(false)
})
