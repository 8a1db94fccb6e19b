import { randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import {
  authenticationOptions,
  randomName,
  registrationOptions,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { expectAuthenticationFailed } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { ageStepUp, asChallenge, type Change, now, resign, tokenOf, unsecured } from '../../support/tokens/tokens'

const HOUR = 3600

/** All tokens are verified by one function, with which session-tokens.spec.ts tries more. */
const FORGERIES: Record<string, () => Change> = {
  'signed under another key': () => ({ secret: 'x'.repeat(64) }),
  'signed under the bare secret': () => ({ keyOf: 'session' }),
  'signed with HS512': () => ({ header: { alg: 'HS512' } }),
  'of the type of a session': () => ({ header: { typ: 'session+jwt' } }),
  'that has expired': () => ({ claims: { iat: now() - 2 * HOUR, exp: now() - HOUR } }),
  'without id': () => ({ claims: { jti: undefined } }),
}

for (const [what, change] of Object.entries(FORGERIES)) {
  test(`a sign-in challenge ${what} is rejected @promise`, async ({ client, another, server, authenticator }) => {
    await signUpWithPasskey(client, authenticator)
    const options = await authenticationOptions(another())
    const attempt = async (change: Change) => {
      const altered = { ...change, claims: { jti: randomUUID(), ...change.claims } }
      const challenge = asChallenge(await resign(tokenOf(options), server.secret, altered))
      return another().post('/api/auth/login/verify', authenticator.get({ ...options, challenge }))
    }
    expect((await attempt({})).status).toBe(200)
    expectAuthenticationFailed(await attempt(change()))
  })

  test(`a registration challenge ${what} is rejected @promise`, async ({ client, another, server, authenticator }) => {
    const attempt = async (change: Change) => {
      const options = await registrationOptions(client, randomName())
      const altered = { ...change, claims: { jti: randomUUID(), ...change.claims } }
      const challenge = asChallenge(await resign(tokenOf(options), server.secret, altered))
      return another().post('/api/auth/register/verify', authenticator.create({ ...options, challenge }))
    }
    expect((await attempt({})).status).toBe(201)
    expectAuthenticationFailed(await attempt(change()))
  })
}

test('a challenge is a token for one ceremony that expires after ten minutes, like the timeout in the options @promise', async ({
  client,
}) => {
  const username = randomName()
  const made = await registrationOptions(client, username)
  const asked = await authenticationOptions(client, username)
  for (const [options, typ] of [
    [made, 'register+jwt'],
    [asked, 'login+jwt'],
  ] as const) {
    expect(decodeProtectedHeader(tokenOf(options))).toEqual({ alg: 'HS256', typ })
    const { jti, iat = 0, exp = 0 } = decodeJwt(tokenOf(options))
    expect(jti).toMatch(/^\S{16,}$/)
    expect((exp - iat) * 1000).toBe(options.timeout)
    expect(options.timeout).toBe(600_000)
  }
})

test('the challenge of an added passkey ends with the step-up that allowed it @promise', async ({
  client,
  server,
  authenticator,
}) => {
  await signUp(client)
  await ageStepUp(client, server, 570)
  const options = await registrationOptions(client)
  const { exp = 0 } = decodeJwt(tokenOf(options))
  expect(exp).toBe(decodeJwt(client.stepUp ?? '').exp)
  expect(options.timeout).toBeLessThanOrEqual(30_000)
  expect((await client.post('/api/auth/register/verify', authenticator.create(options))).status).toBe(201)
})

test('a session token or a device token is rejected as a challenge @promise', async ({
  client,
  another,
  authenticator,
}) => {
  await signUp(client)
  const { token } = await signUpWithPasskey(another(), authenticator)
  for (const other of [token, client.jar.get('latchkey-device') ?? '']) {
    const assertion = authenticator.get({ challenge: asChallenge(other) })
    expectAuthenticationFailed(await another().post('/api/auth/login/verify', assertion))
    const options = await registrationOptions(another(), randomName())
    const made = authenticator.create({ ...options, challenge: asChallenge(other) })
    expectAuthenticationFailed(await another().post('/api/auth/register/verify', made))
    // The next round signs in with the registered passkey, not with this one.
    authenticator.passkeys.pop()
  }
})

test('a challenge without a signature is rejected @promise', async ({ client, another, authenticator }) => {
  await signUpWithPasskey(client, authenticator)
  const options = await authenticationOptions(another())
  const assertion = authenticator.get({ ...options, challenge: asChallenge(unsecured(tokenOf(options))) })
  expectAuthenticationFailed(await another().post('/api/auth/login/verify', assertion))
  expect((await another().post('/api/auth/login/verify', authenticator.get(options))).status).toBe(200)
})
