import type { JWTPayload } from 'jose'
import { expect, test } from 'playwright/test'
import { AccessTokenError, protectedResource, verifyAccessToken } from '../../../packages/kit/src/api'
import { startProvider } from './provider'

const audience = 'https://api.example.com'

test('latchkey-kit/api says whose access token a request has, and refuses every other token with 401', async () => {
  const provider = await startProvider()
  const { issuer } = provider
  const now = Math.floor(Date.now() / 1000)
  const good = {
    iss: issuer,
    aud: audience,
    sub: 'person-1',
    iat: now,
    exp: now + 60,
    preferred_username: 'ada',
    groups: ['family'],
  }
  const sign = (change: JWTPayload = {}, typ = 'at+jwt') => provider.sign({ ...good, ...change }, { typ })
  const ask = (authorization: string | undefined) =>
    verifyAccessToken(new Request('http://api.example.com/', { headers: authorization ? { authorization } : {} }), {
      audience,
      issuer,
    })
  const user = { id: 'person-1', username: 'ada', name: 'ada', email: null, groups: ['family'] }
  expect(await ask(`Bearer ${await sign()}`)).toEqual(user)
  expect(await ask(`bearer ${await sign({ aud: ['https://other.example.com', audience] })}`)).toEqual(user)
  // A request of Node has its headers in an object.
  expect(
    await verifyAccessToken({ headers: { authorization: `Bearer ${await sign()}` } }, { audience, issuer }),
  ).toEqual(user)

  const bad: (string | undefined)[] = [
    undefined,
    'Basic YTpi',
    'Bearer',
    'Bearer x',
    await sign(),
    `Bearer ${await sign({ aud: 'https://other.example.com' })}`,
    `Bearer ${await sign({ iss: 'https://evil.example.com' })}`,
    `Bearer ${await sign({ exp: now - 60 })}`,
    `Bearer ${await sign({ sub: undefined } as never)}`,
    // An ID token
    `Bearer ${await sign({}, 'JWT')}`,
    `Bearer ${(await sign()).slice(0, -4)}AAAA`,
  ]
  for (const authorization of bad) {
    const error = await ask(authorization).catch((thrown) => thrown)
    expect(error, authorization).toBeInstanceOf(AccessTokenError)
    expect([error.status, error.headers['WWW-Authenticate']?.split(' ')[0]], authorization).toEqual([401, 'Bearer'])
    expect(await error.getResponse().json()).toEqual({ error: 'not_signed_in' })
  }
  provider.stop()
})

test('latchkey-kit/api refuses a token that lacks a scope, and tells a client that knows the API alone where to get one', async () => {
  const provider = await startProvider()
  const { issuer } = provider
  const now = Math.floor(Date.now() / 1000)
  const resource = 'https://api.example.com/notes'
  const claims = { iss: issuer, aud: resource, sub: 'person-1', iat: now, exp: now + 60 }
  const ask = async (scope: unknown) => {
    const token = await provider.sign({ ...claims, ...(scope !== undefined && { scope }) }, { typ: 'at+jwt' })
    return { headers: new Headers({ authorization: `Bearer ${token}` }) }
  }
  const api = protectedResource({ resource, issuer, scopes: ['notes.read', 'notes.write'] })
  const metadata = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: ['notes.read', 'notes.write'],
    bearer_methods_supported: ['header'],
  }
  expect(await api.verify(await ask('notes.read notes.write'), 'notes.write')).toMatchObject({ id: 'person-1' })
  expect(await api.verify(await ask(''))).toMatchObject({ id: 'person-1' })
  const where = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/notes"'
  for (const scope of ['', 'notes.read', 'notes.writer', 'NOTES.WRITE', undefined, ['notes.write']]) {
    const error = await api.verify(await ask(scope), 'notes.write').catch((thrown) => thrown)
    const challenge = `Bearer error="insufficient_scope", scope="notes.write", ${where}`
    expect([error.status, error.headers['WWW-Authenticate']]).toEqual([403, challenge])
    expect(await error.getResponse().json()).toEqual({ error: 'insufficient_scope' })
  }
  const missing = await api.verify({ headers: new Headers() }).catch((thrown) => thrown)
  expect([missing.status, missing.headers['WWW-Authenticate']]).toEqual([401, `Bearer ${where}`])

  const get = (path: string, method = 'GET') => api.handle(new Request(`https://api.example.com${path}`, { method }))
  expect(api.path).toBe('/.well-known/oauth-protected-resource/notes')
  const found = get(api.path)
  expect([found?.status, found?.headers.get('Access-Control-Allow-Origin')]).toEqual([200, '*'])
  expect(await found?.json()).toEqual(metadata)
  expect([get('/.well-known/oauth-protected-resource'), get(api.path, 'POST')]).toEqual([null, null])
  expect(protectedResource({ resource: 'https://api.example.com' }).path).toBe('/.well-known/oauth-protected-resource')
  provider.stop()
})

test('latchkey-kit/api answers 503, not 401, while the provider cannot be reached, and names a missing setting', async () => {
  const headers = { authorization: 'Bearer x.y.z' }
  const down = verifyAccessToken({ headers }, { audience, issuer: 'http://localhost:1' })
  await expect(down).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
  await expect(verifyAccessToken({ headers }, { audience })).rejects.toThrow('LATCHKEY_ISSUER is not set')
  await expect(verifyAccessToken({ headers }, { audience: '', issuer: 'http://localhost:1' })).rejects.toThrow(
    'has no audience',
  )
})
