import {
  authenticate,
  authenticationOptions,
  randomName,
  register,
  signUp,
  signUpWithPasskey,
} from '../support/accounts'
import { Authenticator } from '../support/authenticator'
import {
  expectAuthenticationFailed,
  expectError,
  expectNoSession,
  expectSignedIn,
  expectSignedOut,
} from '../support/expectations'
import { expect, test } from '../support/fixtures'

test('sign-in options follow the contract, and say nothing of who exists', async ({
  client,
  another,
  server,
  authenticator,
}) => {
  const { username } = await signUpWithPasskey(another(), authenticator)
  for (const options of [
    await authenticationOptions(client),
    await authenticationOptions(client, username),
    await authenticationOptions(client, randomName()),
  ]) {
    expect(options).toMatchObject({
      rpId: new URL(server.origin).hostname,
      timeout: 600_000,
      userVerification: 'preferred',
      challenge: expect.stringMatching(/^[\w-]+$/),
    })
    expect(options.allowCredentials).toEqual([])
  }
})

test('sign-in options ask for a username that could be one', async ({ client }) => {
  for (const username of [7, [], {}, true]) {
    const answer = await client.post('/api/auth/login/options', { username })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ username: expect.stringMatching(/\S/) })
  }
})

test('a passkey signs in without a username', async ({ client, another, authenticator }) => {
  const made = await signUpWithPasskey(client, authenticator)
  const page = another({ page: true })
  const answer = await authenticate(page, authenticator)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toEqual({ user: made.answer.body.user, expiresAt: expect.any(String) })
  const me = await expectSignedIn(page)
  expect(me.session).toEqual({ expiresAt: answer.body.expiresAt, methods: ['passkey'] })
})

test('signing in is remembered as the last use of the passkey', async ({ client, authenticator }) => {
  await signUpWithPasskey(client, authenticator)
  const before = Date.now()
  expect((await authenticate(client, authenticator)).status).toBe(200)
  const [passkey] = (await expectSignedIn(client)).passkeys
  expect(Math.abs(Date.parse(passkey.lastUsedAt) - before)).toBeLessThan(30_000)
})

test('a submitted username, in whatever case, accepts the passkey of that account', async ({
  client,
  another,
  authenticator,
}) => {
  const { username, id } = await signUpWithPasskey(client, authenticator)
  for (const name of [username, username.toUpperCase()]) {
    const answer = await authenticate(another(), authenticator, name)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.user.id).toBe(id)
  }
})

test("a submitted username refuses another account's passkey", async ({ client, another, authenticator }) => {
  await signUpWithPasskey(client, authenticator)
  const other = await signUpWithPasskey(another(), authenticator)
  const first = authenticator.passkeys[0]
  for (const username of [other.username, randomName()]) {
    const options = await authenticationOptions(another(), username)
    const answer = await another().post('/api/auth/login/verify', authenticator.get(options, {}, first))
    expectAuthenticationFailed(answer)
  }
})

test('a passkey that is not known here is 404, and burns the challenge', async ({ client, server, authenticator }) => {
  await signUpWithPasskey(client, authenticator)
  const elsewhere = new Authenticator(server.origin)
  const options = await authenticationOptions(client)
  elsewhere.passkeys.push({
    ...(authenticator.passkeys[0] as (typeof elsewhere.passkeys)[0]),
    id: 'bm90LWtub3duLWhlcmU',
  })
  const answer = await client.post('/api/auth/login/verify', elsewhere.get(options))
  expectError(answer, 404, 'unknown_passkey')
  expect(answer.body.error).toBe('Authentication Failed')
  expectNoSession(answer)
  expectAuthenticationFailed(await client.post('/api/auth/login/verify', authenticator.get(options)))
})

test('signing in by passkey while signed in spends the session that it replaces', async ({
  client,
  another,
  authenticator,
}) => {
  const { token } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const answer = await authenticate(client, authenticator)
  await expectSignedOut(another({ bearer: token }))
  await expectSignedIn(another({ bearer: answer.body.token }))
})

test('the counter may only go up, once an authenticator counts', async ({ client, authenticator }) => {
  await signUpWithPasskey(client, authenticator, { counter: 5 })
  for (const counter of [5, 4, 0])
    expectAuthenticationFailed(await authenticate(client, authenticator, undefined, { counter }))
  expect((await authenticate(client, authenticator, undefined, { counter: 6 })).status).toBe(200)
  expectAuthenticationFailed(await authenticate(client, authenticator, undefined, { counter: 6 }))
  // The largest value of the counter's 32 bits, which a signed column would not hold.
  expect((await authenticate(client, authenticator, undefined, { counter: 0xffff_ffff })).status).toBe(200)
  expectAuthenticationFailed(await authenticate(client, authenticator, undefined, { counter: 7 }))
})

test('of several sign-ins at once that report one counter value, one is let in', async ({
  client,
  another,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator, { counter: 1 })
  const options = await Promise.all(Array.from({ length: 8 }, () => authenticationOptions(client)))
  const answers = await Promise.all(
    options.map((each) => another().post('/api/auth/login/verify', authenticator.get(each, { counter: 2 }))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
})
