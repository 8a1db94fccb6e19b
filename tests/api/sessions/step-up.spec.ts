import { decodeJwt, decodeProtectedHeader } from 'jose'
import {
  authenticate,
  authenticationOptions,
  changePassword,
  createRecoveryCodes,
  PASSWORD,
  register,
  registrationOptions,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import type { Client } from '../../support/client'
import { expectAuthenticationFailed, expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { Authenticator } from '../../support/webauthn/authenticator'

const UNVERIFIED = { flags: { uv: false } }

const createCodes = (client: Client) => client.post('/api/i/recovery-codes')

test('every credential that is shown gives a step-up token of ten minutes, bound to its session @promise', async ({
  client,
  another,
  authenticator,
}) => {
  const { username, answer } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const [code] = await createRecoveryCodes(client)
  for (const [method, { body }] of [
    ['pwd', answer],
    ['pwd', await signInWithPassword(another(), username)],
    ['passkey', await authenticate(another(), authenticator)],
    ['recovery', await signInWithRecoveryCode(another(), username, code)],
    ['passkey', (await signUpWithPasskey(another(), authenticator)).answer],
    // A page has no other place to keep it.
    ['pwd', await signInWithPassword(another({ page: true }), username)],
  ] as const) {
    expect(decodeProtectedHeader(body.stepUp)).toEqual({ alg: 'HS256', typ: 'step-up+jwt' })
    const { sub, epoch, sid, amr, iat = 0, exp = 0 } = decodeJwt(body.stepUp)
    expect({ sub, epoch, amr, seconds: exp - iat }).toEqual({
      sub: body.user.id,
      epoch: 0,
      amr: [method],
      seconds: 600,
    })
    if (body.token) expect(sid).toBe(decodeJwt(body.token).jti)
  }
})

test('a passkey that has shown user verification signs in without it, but then changes nothing that matters @promise', async ({
  client,
  another,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator)
  const other = another()
  // Once more, because the first must not make it one that cannot.
  for (const by of [another(), other]) {
    const answer = await authenticate(by, authenticator, undefined, UNVERIFIED)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).not.toHaveProperty('stepUp')
    expectError(await createCodes(by), 403, 'reauthentication_required')
  }
  expect((await authenticate(other, authenticator)).body.stepUp).toEqual(expect.any(String))
  expect((await createCodes(other)).status).toBe(201)
})

test('a passkey that never verifies its user steps up without, until it first does', async ({
  another,
  client,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator, UNVERIFIED)
  expect((await createCodes(client)).status).toBe(201)
  const other = another()
  expect((await authenticate(other, authenticator, undefined, UNVERIFIED)).body.stepUp).toEqual(expect.any(String))
  expect((await authenticationOptions(other)).userVerification).toBe('preferred')
  expect((await authenticate(another(), authenticator)).body.stepUp).toEqual(expect.any(String))
  expect((await authenticationOptions(other)).userVerification).toBe('required')
  const later = await authenticate(another(), authenticator, undefined, UNVERIFIED)
  expect(later.status, later.text).toBe(200)
  expect(later.body).not.toHaveProperty('stepUp')
})

test('a passkey made for an app counts as a sign-in, and gives a step-up only if it verified its user', async ({
  client,
  server,
}) => {
  const { username } = await signUp(client)
  for (const [tampering, stepUp] of [
    [UNVERIFIED, undefined],
    [{}, expect.any(String)],
  ] as const) {
    const options = await client.post('/api/auth/register/options', { signIn: true })
    const made = new Authenticator(server.origin).create(options.body, tampering)
    const { status, text, body } = await client.post('/api/auth/register/verify', made)
    expect(status, text).toBe(201)
    expect(body.stepUp).toEqual(stepUp)
    expect(decodeJwt(body.token).amr).toEqual(['passkey'])
    // The password's step-up was of the session that this one replaces.
    if (!stepUp) {
      expectError(await createCodes(client), 403, 'reauthentication_required')
      expect((await signInWithPassword(client, username)).status).toBe(200)
    }
  }
})

test('a passkey made by conditional create counts as one that can verify its user', async ({
  client,
  another,
  authenticator,
}) => {
  await signUp(client)
  const options = await client.post('/api/auth/register/options', { automatic: true })
  const made = authenticator.create(options.body, { flags: { up: false, uv: false } })
  expect((await client.post('/api/auth/register/verify', made)).status).toBe(201)
  expect((await authenticationOptions(client)).userVerification).toBe('required')
  const answer = await authenticate(another(), authenticator, undefined, UNVERIFIED)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).not.toHaveProperty('stepUp')
})

test('one passkey that can only do without user verification makes reauthentication prefer it', async ({
  client,
  authenticator,
}) => {
  await signUp(client)
  expect((await authenticationOptions(client)).userVerification).toBe('preferred')
  expect((await register(client, authenticator)).status).toBe(201)
  expect((await authenticationOptions(client)).userVerification).toBe('required')
  expect((await register(client, authenticator, undefined, UNVERIFIED)).status).toBe(201)
  expect((await authenticationOptions(client)).userVerification).toBe('preferred')
})

test('a session given in place of another keeps its step-up, method, age and expiry', async ({
  client,
  authenticator,
}) => {
  const { token } = await signUpWithPasskey(client, authenticator)
  const before = decodeJwt(token)
  const stepUp = decodeJwt(client.stepUp ?? '')
  expect(before).toMatchObject({ amr: ['passkey'], pk: authenticator.passkeys[0]?.id, auth_time: before.iat })
  const replacements = [
    () => changePassword(client, 'the first password of all'),
    () => client.post('/api/i/signout-everywhere', { exceptThis: true }),
  ]
  for (const replace of replacements) {
    const answer = await replace()
    expect(answer.status, answer.text).toBe(200)
    const { amr, pk, auth_time, exp, jti } = decodeJwt(answer.body.token)
    // Whoever secures an account step by step is asked once.
    expect(decodeJwt(answer.body.stepUp)).toMatchObject({ amr: stepUp.amr, uv: stepUp.uv, exp: stepUp.exp, sid: jti })
    expect({ amr, pk, auth_time, exp }).toEqual({
      amr: before.amr,
      pk: before.pk,
      auth_time: before.auth_time,
      exp: before.exp,
    })
    expect((await createCodes(client)).status).toBe(201)
  }
  await expectSignedIn(client)
})

test('changing the password again and again makes neither a session nor a step-up last longer @promise', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const [code] = await createRecoveryCodes(client)
  const thief = another()
  const opened = await signInWithRecoveryCode(thief, username, code)
  expect(opened.status).toBe(200)
  const before = decodeJwt(opened.body.token)
  // A lifetime that began again would end in a later second.
  await expect.poll(() => Date.now() / 1000).toBeGreaterThan((before.iat ?? 0) + 1)
  const changed = await changePassword(thief, 'a password of the thief')
  expect(changed.status).toBe(200)
  const after = decodeJwt(changed.body.token)
  expect(after.jti).not.toBe(before.jti)
  expect(after.exp).toBe(before.exp)
  const again = await changePassword(thief, 'another one of the thief')
  expect(decodeJwt(again.body.stepUp).exp).toBe(decodeJwt(opened.body.stepUp).exp)
})

test('whether the current password is needed depends on what was shown, not on what opened the session', async ({
  client,
  authenticator,
}) => {
  const { username } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  expect((await authenticate(client, authenticator)).status).toBe(200)
  expect((await signInWithPassword(client, username)).status).toBe(200)
  expectError(await changePassword(client, 'a password for tomorrow'), 400, 'invalid_request')
  expect((await changePassword(client, 'a password for tomorrow', PASSWORD)).status).toBe(200)
})

test('a challenge that a session asked for is rejected under another session of the account @promise', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const other = another()
  await signInWithPassword(other, username)
  for (const thief of [other, another()]) {
    const asked = authenticator.get(await authenticationOptions(client))
    expectAuthenticationFailed(await thief.post('/api/auth/login/verify', asked))
    const made = authenticator.create(await registrationOptions(client))
    expectAuthenticationFailed(await thief.post('/api/auth/register/verify', made))
    authenticator.passkeys.pop()
  }
  expect((await expectSignedIn(client)).passkeys).toHaveLength(1)
})
