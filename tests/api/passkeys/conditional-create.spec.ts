import { decodeJwt } from 'jose'
import {
  authenticate,
  createRecoveryCodes,
  registrationOptions,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { ageStepUp, asChallenge, resign, tokenOf } from '../../support/tokens/tokens'
import { Authenticator } from '../../support/webauthn/authenticator'
import type { Tampering } from '../../support/webauthn/authenticator-data'

const OPTIONS = '/api/auth/register/options'
const VERIFY = '/api/auth/register/verify'
/** A conditional create has neither user presence nor user verification. */
const ALONE: Tampering = { flags: { up: false, uv: false } }

async function ask(client: Client, body: object) {
  const answer = await client.post(OPTIONS, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Awaited<ReturnType<typeof registrationOptions>>
}

for (const userVerification of ['preferred', 'required']) {
  test(`a conditional create after a password sign-in is accepted when user verification is ${userVerification}`, async ({
    server: general,
    start,
  }) => {
    const env = { WEBAUTHN_USER_VERIFICATION: 'required' }
    const server = userVerification === 'required' ? await start({ env }) : general
    const [client, authenticator] = [new Client(server), new Authenticator(server.origin)]
    const { username, id } = await signUp(client)
    await client.post('/api/signout')
    await signInWithPassword(client, username)
    const options = await ask(client, { automatic: true })
    expect(options.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'preferred' })
    expect(decodeJwt(tokenOf(options))).toMatchObject({ sub: id, automatic: true })
    const answer = await client.post(VERIFY, authenticator.create(options, ALONE))
    expect(answer.status, answer.text).toBe(201)
    expect((await expectSignedIn(client)).passkeys).toEqual([answer.body.passkey])
    const second = await ask(client, { automatic: true })
    expect(second.excludeCredentials?.map(({ id }) => id)).toEqual([answer.body.passkey.id])
    // Signing in with it requires user presence again.
    expectAuthenticationFailed(await authenticate(new Client(server), authenticator, undefined, ALONE))
    const unverified = await authenticate(new Client(server), authenticator, undefined, { flags: { uv: false } })
    expect(unverified.status).toBe(userVerification === 'required' ? 401 : 200)
    expect((await authenticate(new Client(server), authenticator)).status).toBe(200)
  })
}

test('any other registration requires user presence @promise', async ({ client, another, authenticator }) => {
  await signUp(client)
  for (const body of [{}, { promotion: true }, { automatic: false }]) {
    const options = await ask(client, body)
    expect(decodeJwt(tokenOf(options))).not.toMatchObject({ automatic: true })
    expectAuthenticationFailed(await client.post(VERIFY, authenticator.create(options, ALONE)))
  }
  const options = await registrationOptions(another(), `new-${Date.now()}`)
  expectAuthenticationFailed(await another().post(VERIFY, authenticator.create(options, ALONE)))
  expect((await expectSignedIn(client)).passkeys).toEqual([])
})

test('the exemption from user presence is part of the signed challenge', async ({ client, server, authenticator }) => {
  await signUp(client)
  const attempt = async (secret: string, automatic: unknown) => {
    const options = await registrationOptions(client)
    const challenge = asChallenge(await resign(tokenOf(options), secret, { claims: { automatic } }))
    return client.post(VERIFY, authenticator.create({ ...options, challenge }, ALONE))
  }
  expectAuthenticationFailed(await attempt('x'.repeat(64), true))
  expectAuthenticationFailed(await attempt(server.secret, false))
  expectAuthenticationFailed(await attempt(server.secret, 'true'))
  expect((await attempt(server.secret, true)).status).toBe(201)
})

test('a challenge for a conditional create is rejected without its session', async ({
  client,
  another,
  authenticator,
}) => {
  await signUp(client)
  const thief = another()
  await signUp(thief)
  for (const other of [thief, another()]) {
    const options = await ask(client, { automatic: true })
    expectAuthenticationFailed(await other.post(VERIFY, authenticator.create(options, ALONE)))
  }
  expect((await expectSignedIn(thief)).passkeys).toEqual([])
})

test('a conditional create requires a recent password sign-in @promise', async ({
  client,
  another,
  server,
  authenticator,
}) => {
  const body = { automatic: true }
  const byPasskey = another()
  await signUpWithPasskey(byPasskey, authenticator)
  expectError(await byPasskey.post(OPTIONS, body), 403, 'reauthentication_required')
  const { username } = await signUp(client)
  const [code] = await createRecoveryCodes(client)
  const byCode = another()
  expect((await signInWithRecoveryCode(byCode, username, code)).status).toBe(200)
  expectError(await byCode.post(OPTIONS, body), 403, 'reauthentication_required')
  expect((await client.post(OPTIONS, body)).status).toBe(200)
  await ageStepUp(client, server, 601)
  expectError(await client.post(OPTIONS, body), 403, 'reauthentication_required')
})

test('a conditional create requires a session', async ({ another }) => {
  for (const body of [{ automatic: true }, { automatic: true, username: `new-${Date.now()}` }]) {
    expectError(await another().post(OPTIONS, body), 401, 'not_signed_in')
  }
})

test('a promotion asks for a platform authenticator and the account page for any authenticator', async ({ client }) => {
  await signUp(client)
  const promotion = await ask(client, { promotion: true })
  expect(promotion.authenticatorSelection?.authenticatorAttachment).toBe('platform')
  expect(promotion.hints).toEqual(['client-device'])
  for (const body of [{}, { promotion: false }, { automatic: true }]) {
    const options = await ask(client, body)
    expect(options.authenticatorSelection?.authenticatorAttachment).toBeUndefined()
    expect(options.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'preferred' })
  }
})
