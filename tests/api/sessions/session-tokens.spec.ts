import { randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import {
  authenticate,
  authenticationOptions,
  registrationOptions,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { type Change, now, resign, tokenOf, unsecured } from '../../support/tokens/tokens'

const HOUR = 3600

const FORGERIES: Record<string, () => Change> = {
  'signed under another key': () => ({ secret: 'x'.repeat(64) }),
  'signed under the key of a device': () => ({ keyOf: 'device' }),
  'signed with HS512': () => ({ header: { alg: 'HS512' } }),
  'of the plain type': () => ({ header: { typ: 'JWT' } }),
  'of no type': () => ({ header: { typ: undefined } }),
  'of the type of a sign-in challenge': () => ({ header: { typ: 'login+jwt' } }),
  'of the type of a device': () => ({ header: { typ: 'device+jwt' } }),
  'that has expired': () => ({ claims: { iat: now() - 2 * HOUR, exp: now() - HOUR } }),
  'without expiry': () => ({ claims: { exp: undefined } }),
  'without subject': () => ({ claims: { sub: undefined } }),
  'without id': () => ({ claims: { jti: undefined } }),
  'without time of issue': () => ({ claims: { iat: undefined } }),
  'without epoch': () => ({ claims: { epoch: undefined } }),
  'issued in the future': () => ({ claims: { iat: now() + HOUR } }),
  'not yet valid': () => ({ claims: { nbf: now() + HOUR } }),
  'of an account that does not exist': () => ({ claims: { sub: 'AAAAAAAAAAAAAAAAAAAAAA' } }),
  'of an epoch to come': () => ({ claims: { epoch: 1_000_000 } }),
  'of an epoch in words': () => ({ claims: { epoch: '0' } }),
  'whose subject is an object': () => ({ claims: { sub: { not: '' } } }),
  'whose id is a number': () => ({ claims: { jti: 7 } }),
}

test('a session token has the claims of the contract and nothing about the user @promise', async ({ client }) => {
  const { id, username, token } = await signUp(client)
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'session+jwt' })
  const claims = decodeJwt(token)
  expect(claims).toEqual({
    sub: id,
    jti: expect.stringMatching(/^\S{16,}$/),
    iat: expect.any(Number),
    exp: (claims.iat ?? 0) + 7 * 24 * HOUR,
    epoch: expect.any(Number),
    amr: ['pwd'],
    auth_time: claims.iat,
    signed_up: claims.iat,
  })
  expect(JSON.stringify(claims)).not.toContain(username)
})

test('a session token says that its passkey verified its user, or nothing about it @promise', async ({
  client,
  another,
  authenticator,
}) => {
  const { token } = await signUpWithPasskey(client, authenticator)
  expect(decodeJwt(token).uv).toBe(true)
  const { body } = await authenticate(another(), authenticator, undefined, { flags: { uv: false } })
  expect(decodeJwt(body.token)).not.toHaveProperty('uv')
})

for (const [what, change] of Object.entries(FORGERIES)) {
  test(`a session token ${what} is rejected @promise`, async ({ client, another, server }) => {
    const { id, token } = await signUp(client)
    const valid = await resign(token, server.secret, { claims: { jti: randomUUID() } })
    expect((await expectSignedIn(another({ bearer: valid }))).id).toBe(id)
    const altered = change()
    const forged = await resign(token, server.secret, {
      ...altered,
      claims: { jti: randomUUID(), ...altered.claims },
    })
    await expectSignedOut(another({ bearer: forged }))
    const cookie = another()
    cookie.jar.set('latchkey-session', forged)
    await expectSignedOut(cookie)
  })
}

test('a session token without a signature is rejected @promise', async ({ client, another }) => {
  const { token } = await signUp(client)
  await expectSignedIn(another({ bearer: token }))
  for (const forged of [unsecured(token), unsecured(token, token.split('.')[2])]) {
    await expectSignedOut(another({ bearer: forged }))
  }
})

test('a session token with a character changed is rejected @promise', async ({ client, another }) => {
  const { token } = await signUp(client)
  const [header = '', payload = '', signature = ''] = token.split('.')
  const turn = (part: string) => `${part.slice(0, 8)}${part[8] === 'A' ? 'B' : 'A'}${part.slice(9)}`
  const forgeries = [
    [turn(header), payload, signature],
    [header, turn(payload), signature],
    [header, payload, turn(signature)],
    [header, payload],
    [header, payload, ''],
    [header, payload, signature, signature],
  ]
  for (const parts of forgeries) await expectSignedOut(another({ bearer: parts.join('.') }))
  await expectSignedIn(another({ bearer: token }))
})

test('a challenge or a device token is rejected as a session @promise', async ({ client, another }) => {
  const { username } = await signUp(client)
  const others = [
    tokenOf(await registrationOptions(client)),
    tokenOf(await authenticationOptions(client)),
    tokenOf(await authenticationOptions(client, username)),
    client.jar.get('latchkey-device') ?? '',
  ]
  for (const token of others) {
    expect(token).toMatch(/^ey/)
    await expectSignedOut(another({ bearer: token }))
    const cookie = another()
    cookie.jar.set('latchkey-session', token)
    await expectSignedOut(cookie)
  }
})
