import type { JWTPayload } from 'jose'
import { expect, test } from 'playwright/test'
import { AccessTokenError, verifyAccessToken } from '../../../packages/kit/src/api'
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

test('latchkey-kit/api answers 503, not 401, while the provider cannot be reached, and names a missing setting', async () => {
  const headers = { authorization: 'Bearer x.y.z' }
  const down = verifyAccessToken({ headers }, { audience, issuer: 'http://localhost:1' })
  await expect(down).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
  await expect(verifyAccessToken({ headers }, { audience })).rejects.toThrow('LATCHKEY_ISSUER is not set')
  await expect(verifyAccessToken({ headers }, { audience: '', issuer: 'http://localhost:1' })).rejects.toThrow(
    'has no audience',
  )
})
