import { authenticate, randomName, register, registrationOptions, signUp, signUpWithPasskey } from '../support/accounts'
import { expectError, expectSignedIn, expectSignedOut } from '../support/expectations'
import { expect, test } from '../support/fixtures'

const PASSKEY_KEYS = ['backedUp', 'createdAt', 'deviceType', 'id', 'lastUsedAt', 'name', 'provider', 'transports']

test('registration options follow the contract', async ({ client, server }) => {
  const username = randomName()
  const options = await registrationOptions(client, username)
  expect(options).toMatchObject({
    rp: { id: new URL(server.origin).hostname, name: 'Latchkey' },
    user: { name: username, displayName: expect.any(String) },
    attestation: 'none',
    timeout: 600_000,
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
  expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257])
  expect(options.excludeCredentials ?? []).toEqual([])
  expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(16)
  expect((await registrationOptions(client, username)).user.id).not.toBe(options.user.id)
})

for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
  test(`an account is made with a passkey of ${algorithm}, and signed in with it`, async ({
    client,
    another,
    authenticator,
  }) => {
    const username = randomName()
    const options = await registrationOptions(client, username)
    const answer = await client.post('/api/auth/register/verify', authenticator.create(options, {}, algorithm))
    expect(answer.status, answer.text).toBe(201)
    expect(Object.keys(answer.body).sort()).toEqual(['expiresAt', 'passkey', 'token', 'user'])
    expect(answer.body.user).toEqual({ id: options.user.id, username, createdAt: expect.any(String) })
    const me = await expectSignedIn(client)
    expect(me).toMatchObject({ id: options.user.id, userHandle: options.user.id, hasPassword: false })
    expect(me.session.methods).toEqual(['passkey'])
    expect(me.passkeys).toEqual([answer.body.passkey])
    expect((await authenticate(another(), authenticator)).status).toBe(200)
  })
}

test('a passkey is described as the authenticator made it', async ({ client, another, authenticator }) => {
  const synced = (await signUpWithPasskey(client, authenticator)).answer.body.passkey
  expect(Object.keys(synced).sort()).toEqual(PASSKEY_KEYS)
  expect(synced).toMatchObject({ backedUp: true, deviceType: 'multiDevice', transports: ['internal', 'hybrid'] })
  expect(new Date(synced.createdAt).toISOString()).toBe(synced.createdAt)
  const tampering = { flags: { be: false, bs: false }, transports: ['usb', 'nfc'] as ('usb' | 'nfc')[] }
  const bound = (await signUpWithPasskey(another(), authenticator, tampering)).answer.body.passkey
  expect(bound).toMatchObject({ backedUp: false, deviceType: 'singleDevice', transports: ['usb', 'nfc'] })
})

test('the provider of a passkey is named after its AAGUID, where that is known', async ({
  client,
  another,
  authenticator,
}) => {
  const known = { aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4' }
  const google = (await signUpWithPasskey(client, authenticator, known)).answer.body.passkey
  expect(google.provider).toMatch(/Google/)
  const unknown = (await signUpWithPasskey(another(), authenticator)).answer.body.passkey
  expect(unknown.provider).toBeNull()
})

test('options need a username from a visitor, of the same form as at sign-up', async ({ client }) => {
  for (const body of [{}, { username: 'x' }, { username: 'with space' }, { username: 7 }]) {
    const answer = await client.post('/api/auth/register/options', body)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ username: expect.stringMatching(/\S/) })
  }
})

test('options make no account: only the verified answer does', async ({ client, another }) => {
  const username = randomName()
  await registrationOptions(client, username)
  await registrationOptions(another(), username)
  await signUp(another(), username)
  expectError(await client.post('/api/auth/register/options', { username }), 409, 'username_taken')
  const upper = { username: username.toUpperCase() }
  expectError(await client.post('/api/auth/register/options', upper), 409, 'username_taken')
})

test('a username taken between options and answer is told, and nothing is made', async ({
  client,
  another,
  authenticator,
}) => {
  const username = randomName()
  const options = await registrationOptions(client, username)
  await signUp(another(), username)
  const answer = await client.post('/api/auth/register/verify', authenticator.create(options))
  expectError(answer, 409, 'username_taken')
  expect(answer.cookies).toEqual([])
  expectError(await authenticate(client, authenticator), 404, 'unknown_passkey')
})

test('an ended session counts as none', async ({ client, another, authenticator }) => {
  const { token } = await signUp(client)
  await client.post('/api/signout')
  const ended = another()
  ended.jar.set('session', token)
  expectError(await ended.post('/api/auth/register/options', {}), 400, 'invalid_request')
  const username = randomName()
  const answer = await register(ended, authenticator, username)
  expect(answer.status, answer.text).toBe(201)
  expect(answer.body.user.username).toBe(username)
})

test('a passkey registers once, whoever tries again', async ({ client, another, authenticator }) => {
  await signUpWithPasskey(client, authenticator)
  const id = authenticator.passkeys.at(-1)?.id ?? ''
  expectError(await register(client, authenticator, undefined, { id }), 409, 'passkey_taken')
  const other = another()
  await signUp(other)
  expectError(await register(other, authenticator, undefined, { id }), 409, 'passkey_taken')
  expect((await expectSignedIn(other)).passkeys).toEqual([])
  const username = randomName()
  const newcomer = another()
  expectError(await register(newcomer, authenticator, username, { id }), 409, 'passkey_taken')
  await expectSignedOut(newcomer)
  // The account that would have held it was not made either.
  await signUp(newcomer, username)
})
