import { authenticate, authenticationOptions, randomName, signUpWithPasskey } from '../../support/accounts'
import { expectAuthenticationFailed, expectError, expectNoSession, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { logLines } from '../../support/server/server-log'
import { Authenticator } from '../../support/webauthn/authenticator'

test('authentication options follow the contract and do not reveal whether an account exists @promise', async ({
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

test('authentication options reject a username that is not text', async ({ client }) => {
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
  expect(answer.body).toEqual({
    user: made.answer.body.user,
    expiresAt: expect.any(String),
    stepUp: expect.any(String),
  })
  const me = await expectSignedIn(page)
  expect(me.session).toEqual({ expiresAt: answer.body.expiresAt, methods: ['passkey'] })
})

test("a submitted username, in any case, accepts that account's passkey", async ({
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

test("a submitted username rejects another account's passkey @promise", async ({ client, another, authenticator }) => {
  await signUpWithPasskey(client, authenticator)
  const other = await signUpWithPasskey(another(), authenticator)
  const first = authenticator.passkeys[0]
  for (const username of [other.username, randomName()]) {
    const options = await authenticationOptions(another(), username)
    const answer = await another().post('/api/auth/login/verify', authenticator.get(options, {}, first))
    expectAuthenticationFailed(answer)
  }
})

test('an unknown passkey is answered 404 and consumes the challenge @promise', async ({
  client,
  server,
  authenticator,
}) => {
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

/** A passkey that its device keeps to itself. */
const bound = (counter: number) => ({ counter, flags: { be: false, bs: false } })

test('a signature counter that does not increase is rejected once the authenticator counts @storage @promise', async ({
  client,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator, bound(5))
  const signIn = (counter: number) => authenticate(client, authenticator, undefined, bound(counter))
  for (const counter of [5, 4, 0]) {
    const answer = await signIn(counter)
    expectError(answer, 401, 'passkey_copied')
    expectNoSession(answer)
  }
  // Nor does it help to claim that it has been synced since: whoever cloned the key signs that, too.
  expectError(await authenticate(client, authenticator, undefined, { counter: 4 }), 401, 'passkey_copied')
  expect((await signIn(6)).status).toBe(200)
  expectError(await signIn(6), 401, 'passkey_copied')
  // The counter's largest value does not fit a signed 32-bit column.
  expect((await signIn(0xffff_ffff)).status).toBe(200)
  expectError(await signIn(7), 401, 'passkey_copied')
})

test('a synced passkey signs in with any counter, since each copy counts for itself, and the log tells', async ({
  server,
  client,
  authenticator,
}) => {
  const { id: account } = await signUpWithPasskey(client, authenticator, { counter: 5 })
  for (const counter of [9, 4, 4, 0])
    expect((await authenticate(client, authenticator, undefined, { counter })).status).toBe(200)
  const told = () =>
    logLines(server.output()).filter((line) => line.event === 'synced_counter_went_back' && line.account === account)
  await expect.poll(() => told().length).toBe(3)
})

test('of several concurrent sign-ins with one counter value exactly one succeeds @storage @promise', async ({
  client,
  another,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator, bound(1))
  const options = await Promise.all(Array.from({ length: 8 }, () => authenticationOptions(another())))
  const answers = await Promise.all(
    options.map((each) => another().post('/api/auth/login/verify', authenticator.get(each, bound(2)))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
})
