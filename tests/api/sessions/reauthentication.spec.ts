import {
  authenticate,
  authenticationOptions,
  PASSWORD,
  register,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import type { Client } from '../../support/client'
import {
  expectAuthenticationFailed,
  expectError,
  expectNoSession,
  expectSignedIn,
  expectSignedOut,
} from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { Authenticator } from '../../support/webauthn/authenticator'

const VERIFY = '/api/auth/login/verify'

/** Asserts that an action changes neither the client's session nor its account. */
async function expectUntouched(client: Client, during: () => Promise<unknown>) {
  const [jar, before] = [new Map(client.jar), await expectSignedIn(client)]
  await during()
  expect(client.jar).toEqual(jar)
  expect(await expectSignedIn(client)).toEqual(before)
}

test("authentication options for a session allow exactly its account's passkeys", async ({
  client,
  another,
  authenticator,
}) => {
  await signUpWithPasskey(another(), authenticator)
  await signUp(client)
  expect((await authenticationOptions(client)).allowCredentials ?? []).toEqual([])
  expect((await register(client, authenticator, undefined, { transports: ['usb', 'nfc'] })).status).toBe(201)
  expect((await register(client, authenticator)).status).toBe(201)
  const [, one, two] = authenticator.passkeys
  const { allowCredentials = [], userVerification, timeout } = await authenticationOptions(client)
  expect(allowCredentials).toHaveLength(2)
  expect(allowCredentials).toEqual(
    expect.arrayContaining([
      { id: one?.id, type: 'public-key', transports: ['usb', 'nfc'] },
      { id: two?.id, type: 'public-key', transports: ['internal', 'hybrid'] },
    ]),
  )
  expect({ userVerification, timeout }).toEqual({ userVerification: 'required', timeout: 600_000 })
})

test('authentication options hint at where the passkeys of a session are, the one that opened it first', async ({
  client,
  another,
  authenticator,
}) => {
  await signUp(client)
  expect(await authenticationOptions(client)).not.toHaveProperty('hints')
  await register(client, authenticator, undefined, { transports: ['internal'] })
  await register(client, authenticator, undefined, { transports: ['usb', 'nfc'] })
  expect(await authenticationOptions(client)).toMatchObject({ hints: ['client-device', 'security-key'] })
  expect((await authenticate(client, authenticator)).status).toBe(200)
  expect(await authenticationOptions(client)).toMatchObject({ hints: ['security-key', 'client-device'] })
  await register(client, authenticator, undefined, { transports: ['cable'] })
  expect(await authenticationOptions(client)).toMatchObject({ hints: ['security-key', 'client-device', 'hybrid'] })
  // One that its device syncs to a phone is looked for on both.
  const other = another()
  await signUp(other)
  await register(other, authenticator, undefined, { transports: ['internal', 'hybrid'] })
  expect(await authenticationOptions(other)).toMatchObject({ hints: ['client-device', 'hybrid'] })
})

test('reauthenticating with a passkey revokes the session that it replaces', async ({
  client,
  another,
  authenticator,
}) => {
  const { id, token } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const answer = await authenticate(client, authenticator)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.user.id).toBe(id)
  await expectSignedOut(another({ bearer: token }))
  expect((await expectSignedIn(client)).session.methods).toEqual(['passkey'])
})

for (const [what, hasPasskey] of [
  ['an account with passkeys', true],
  ['an account without any', false],
] as const) {
  test(`another account's passkey does not reauthenticate ${what} @promise`, async ({
    client,
    another,
    server,
    authenticator,
  }) => {
    await signUp(client)
    if (hasPasskey) expect((await register(client, authenticator)).status).toBe(201)
    const theirs = new Authenticator(server.origin)
    await signUpWithPasskey(another(), theirs)
    await expectUntouched(client, async () => {
      const answer = await client.post(VERIFY, theirs.get(await authenticationOptions(client)))
      expectAuthenticationFailed(answer)
      expect(answer.cookies).toEqual([])
    })
    // Nor does it in a browser without the session.
    expectAuthenticationFailed(await another().post(VERIFY, theirs.get(await authenticationOptions(client))))
    expect((await authenticate(another(), theirs)).status).toBe(200)
  })
}

test('reauthenticating with an unknown passkey is answered 404 and keeps the session', async ({
  client,
  server,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator)
  const unknown = new Authenticator(server.origin)
  unknown.passkeys.push({ ...(authenticator.passkeys[0] as (typeof unknown.passkeys)[0]), id: 'bm90LWtub3duLWhlcmU' })
  await expectUntouched(client, async () => {
    const answer = await client.post(VERIFY, unknown.get(await authenticationOptions(client)))
    expectError(answer, 404, 'unknown_passkey')
    expectNoSession(answer)
    expect(answer.cookies).toEqual([])
  })
})

test('a failed reauthentication keeps the session @promise', async ({ client, authenticator }) => {
  const { username } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  await expectUntouched(client, async () => {
    expectAuthenticationFailed(await authenticate(client, authenticator, undefined, { corruptSignature: true }))
    expectAuthenticationFailed(await signInWithPassword(client, username, `${PASSWORD}!`))
  })
})

test('authentication options for a revoked session are those of a visitor', async ({
  client,
  another,
  authenticator,
}) => {
  const { token } = await signUpWithPasskey(client, authenticator)
  await client.post('/api/signout')
  const other = await signUpWithPasskey(another(), authenticator)
  for (const bearer of [token, `${token}x`, 'nonsense']) {
    const options = await authenticationOptions(another({ bearer }))
    expect(options.allowCredentials ?? []).toEqual([])
    const answer = await another().post(VERIFY, authenticator.get(options))
    expect(answer.body.user).toMatchObject({ id: other.id })
  }
})

test('a reauthentication that names another account rejects the passkeys of both @promise', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUpWithPasskey(another(), authenticator)
  await signUpWithPasskey(client, authenticator)
  for (const passkey of authenticator.passkeys) {
    const options = await authenticationOptions(client, username)
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([authenticator.passkeys[1]?.id])
    expectAuthenticationFailed(await client.post(VERIFY, authenticator.get(options, {}, passkey)))
  }
})

test('reauthenticating rejects a user handle of another account @promise', async ({
  client,
  another,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator)
  const { id } = await signUp(another())
  expectAuthenticationFailed(await authenticate(client, authenticator, undefined, { userHandle: id }))
  // With allowCredentials an authenticator may omit the handle (WebAuthn section 7.2 step 6); some report it as empty.
  for (const userHandle of [null, '']) {
    const answer = await authenticate(client, authenticator, undefined, { userHandle })
    expect(answer.status, answer.text).toBe(200)
  }
})
