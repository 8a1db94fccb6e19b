import {
  authenticate,
  createRecoveryCodes,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

const PASSKEY_KEYS = ['backedUp', 'createdAt', 'deviceType', 'id', 'lastUsedAt', 'name', 'provider', 'transports']

test('a signed-in user adds a passkey and keeps the same session', async ({ client, another, authenticator }) => {
  const { username, id, token } = await signUp(client)
  const options = await registrationOptions(client)
  expect(options.user).toMatchObject({ id, name: username })
  const answer = await client.post('/api/auth/register/verify', authenticator.create(options))
  expect(answer.status, answer.text).toBe(201)
  expect(answer.body).toMatchObject({ user: { id, username }, expiresAt: expect.any(String) })
  expect(Object.keys(answer.body.passkey).sort()).toEqual(PASSKEY_KEYS)
  expect(answer.cookies.filter(({ name }) => name === 'latchkey-session')).toEqual([])
  const me = await expectSignedIn(another({ bearer: token }))
  expect(me).toMatchObject({ hasPassword: true, passkeys: [answer.body.passkey], session: { methods: ['pwd'] } })
  expect(me.session.expiresAt).toBe(answer.body.expiresAt)
  expect((await authenticate(another(), authenticator)).body.user.id).toBe(id)
  expect((await signInWithPassword(another(), username, PASSWORD)).status).toBe(200)
})

test('registration options exclude the passkeys that the account already has', async ({ client, authenticator }) => {
  await signUpWithPasskey(client, authenticator)
  expect((await register(client, authenticator)).status).toBe(201)
  const { excludeCredentials } = await registrationOptions(client)
  const ids = authenticator.passkeys.map(({ id }) => id)
  expect(excludeCredentials?.map(({ id }) => id).sort()).toEqual(ids.sort())
  expect((await expectSignedIn(client)).passkeys).toHaveLength(2)
})

test('a signed-in user may register a passkey under no username but their own @promise', async ({ client }) => {
  const { username } = await signUp(client)
  await registrationOptions(client, username)
  await registrationOptions(client, username.toUpperCase())
  const answer = await client.post('/api/auth/register/options', { username: randomName() })
  expectError(answer, 400, 'invalid_request')
  expect(answer.body.fields).toEqual({ username: expect.stringMatching(/\S/) })
})

test('an account holds at most fifty passkeys even when several registrations arrive at once @storage', async ({
  client,
  authenticator,
}) => {
  await signUp(client)
  for (let time = 0; time < 45; time += 1) expect((await register(client, authenticator)).status).toBe(201)
  const options = await Promise.all(Array.from({ length: 12 }, () => registrationOptions(client)))
  const made = options.map((each) => authenticator.create(each))
  const answers = await Promise.all(made.map((response) => client.post('/api/auth/register/verify', response)))
  const [added, rejected] = [201, 400].map((status) => answers.filter((answer) => answer.status === status))
  expect([added?.length, rejected?.length]).toEqual([5, 7])
  for (const answer of rejected ?? []) {
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ passkeys: expect.stringContaining('50') })
  }
  expectError(await client.post('/api/auth/register/options', {}), 400, 'invalid_request')
  expect((await expectSignedIn(client)).passkeys).toHaveLength(50)
  // Each of the 57 has consumed a challenge, so three of the account's sixty changes are left.
  for (let time = 0; time < 3; time += 1) await createRecoveryCodes(client)
  expectError(await client.post('/api/i/recovery-codes'), 429, 'too_many_attempts')
})
