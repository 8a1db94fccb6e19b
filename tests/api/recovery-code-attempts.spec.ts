import {
  createRecoveryCodes,
  PASSWORD,
  randomName,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../support/accounts'
import { expectAuthenticationFailed, expectError, expectSignedIn } from '../support/expectations'
import { expect, test } from '../support/fixtures'

/** A well-formed code that no account has. */
const UNKNOWN = 'AAAA-BBBB-CCCC-DDDD-EEEE-FFFF'

test('a wrong recovery code, an unknown username and an account without codes get the answer to a wrong password', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUp(client)
  await createRecoveryCodes(client)
  const without = await signUpWithPasskey(another(), authenticator)
  const other = another()
  await signUp(other)
  const [theirs] = await createRecoveryCodes(other)
  const wrongPassword = await signInWithPassword(another(), username, `${PASSWORD}!`)
  for (const answer of [
    await signInWithRecoveryCode(another(), username, UNKNOWN),
    await signInWithRecoveryCode(another(), username, theirs),
    await signInWithRecoveryCode(another(), username, 'nonsense'),
    await signInWithRecoveryCode(another(), randomName(), UNKNOWN),
    await signInWithRecoveryCode(another(), without.username, UNKNOWN),
  ]) {
    expectAuthenticationFailed(answer)
    expect(answer.text).toBe(wrongPassword.text)
    expect(Object.keys(answer.headers).sort()).toEqual(Object.keys(wrongPassword.headers).sort())
  }
})

test("another account's recovery code is rejected and stays valid for its owner", async ({ client, another }) => {
  const one = await signUp(client)
  const owner = another()
  const two = await signUp(owner)
  const [code] = await createRecoveryCodes(owner)
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), one.username, code))
  expect((await expectSignedIn(owner)).recoveryCodesLeft).toBe(10)
  expect((await signInWithRecoveryCode(another(), two.username, code)).body.user.id).toBe(two.id)
})

for (const [who, exists] of [
  ['a known username', true],
  ['an unknown username', false],
] as const) {
  test(`recovery codes and passwords share one limit on ${who}`, async ({ client, another }) => {
    const username = randomName()
    if (exists) await signUp(client, username)
    const code = exists ? (await createRecoveryCodes(client))[0] : UNKNOWN
    for (let time = 0; time < 3; time += 1)
      expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, UNKNOWN))
    for (let time = 0; time < 2; time += 1)
      expectAuthenticationFailed(await signInWithPassword(another(), username, 'a wrong one'))
    for (const rejected of [
      await signInWithRecoveryCode(another(), username, code),
      await signInWithPassword(another(), username),
    ]) {
      expectError(rejected, 429, 'too_many_attempts')
      expect(rejected.headers['retry-after']).toBe(String(rejected.body.retryAfter))
    }
    if (exists) expect((await expectSignedIn(client)).recoveryCodesLeft).toBe(10)
  })
}

test('a malformed recovery sign-in is answered 400 and names the field', async ({ client }) => {
  for (const [body, field] of [
    [{ code: UNKNOWN }, 'username'],
    [{ username: randomName() }, 'code'],
    [{ username: randomName(), code: 7 }, 'code'],
    [{ username: randomName(), code: '' }, 'code'],
    [{ username: randomName(), code: 'x'.repeat(10_000) }, 'code'],
  ] as const) {
    const answer = await client.post('/api/signin/recovery', body)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ [field]: expect.stringMatching(/\S/) })
  }
})
