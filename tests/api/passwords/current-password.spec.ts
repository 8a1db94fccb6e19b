import {
  authenticate,
  changePassword,
  createRecoveryCodes,
  PASSWORD,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  WRONG_PASSWORD,
} from '../../support/accounts'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

const NEXT = 'a password for tomorrow'

test('a password session must state the current password to change it @promise', async ({ client, another }) => {
  const { username } = await signUp(client)
  const missing = await changePassword(client, NEXT)
  expectError(missing, 400, 'invalid_request')
  expect(missing.body.fields).toEqual({ currentPassword: expect.stringMatching(/\S/) })
  expectAuthenticationFailed(await changePassword(client, NEXT, WRONG_PASSWORD))
  expectAuthenticationFailed(await changePassword(client, NEXT, NEXT))
  await expectSignedIn(client)
  expect((await signInWithPassword(another(), username, PASSWORD)).status).toBe(200)
  expectAuthenticationFailed(await signInWithPassword(another(), username, NEXT))
})

for (const way of ['passkey', 'recovery code']) {
  test(`a session opened by ${way} changes the password without the current one`, async ({
    client,
    another,
    authenticator,
  }) => {
    const { username } = await signUp(client)
    expect((await register(client, authenticator)).status).toBe(201)
    const [code] = await createRecoveryCodes(client)
    const fresh = another()
    const signedIn =
      way === 'passkey' ? await authenticate(fresh, authenticator) : await signInWithRecoveryCode(fresh, username, code)
    expect(signedIn.status, signedIn.text).toBe(200)
    const answer = await changePassword(fresh, NEXT)
    expect(answer.status, answer.text).toBe(200)
    await expectSignedOut(client)
    await expectSignedIn(fresh)
    expect((await signInWithPassword(another(), username, NEXT)).status).toBe(200)
  })
}

test('wrong current passwords count as password attempts of their session, and keep nobody else out @promise', async ({
  client,
  another,
}) => {
  const { username, token, stepUp } = await signUp(client)
  // The thief of a session has no device cookie, so that attempts count for the session.
  const thief = () => another({ bearer: token, stepUp })
  for (let time = 0; time < 5; time += 1)
    expectAuthenticationFailed(await changePassword(thief(), NEXT, WRONG_PASSWORD))
  const rejected = await changePassword(thief(), NEXT, PASSWORD)
  expectError(rejected, 429, 'too_many_attempts')
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
  expectError(await signInWithPassword(thief(), username, PASSWORD), 429, 'too_many_attempts')
  expect((await signInWithPassword(another(), username, PASSWORD)).status).toBe(200)
  // The owner's browser is a known device.
  expect((await changePassword(client, NEXT, PASSWORD)).status).toBe(200)
})
