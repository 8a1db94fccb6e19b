import {
  authenticate,
  randomName,
  register,
  registrationOptions,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

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
  expect(options.authenticatorSelection).not.toHaveProperty('authenticatorAttachment')
  expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257])
  expect(options.excludeCredentials ?? []).toEqual([])
  expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(16)
  expect((await registrationOptions(client, username)).user.id).not.toBe(options.user.id)
})

test('registration options require a discoverable credential, in the terms of WebAuthn Level 1 too', async ({
  client,
}) => {
  const { id } = await signUp(client)
  for (const body of [{}, { promotion: true }, { automatic: true }]) {
    const { authenticatorSelection, user } = (await client.post('/api/auth/register/options', body)).body
    expect(authenticatorSelection).toMatchObject({ residentKey: 'required', requireResidentKey: true })
    // 16 random bytes, which say nothing about the user.
    expect(user.id).toBe(id)
    expect(Buffer.from(user.id, 'base64url')).toHaveLength(16)
  }
})

for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
  test(`signing up with an ${algorithm} passkey creates an account that it signs in to @promise`, async ({
    client,
    another,
    authenticator,
  }) => {
    const username = randomName()
    const options = await registrationOptions(client, username)
    const answer = await client.post('/api/auth/register/verify', authenticator.create(options, {}, algorithm))
    expect(answer.status, answer.text).toBe(201)
    expect(Object.keys(answer.body).sort()).toEqual(['expiresAt', 'passkey', 'stepUp', 'token', 'user'])
    expect(answer.body.user).toEqual({
      id: options.user.id,
      username,
      displayName: null,
      createdAt: expect.any(String),
    })
    const me = await expectSignedIn(client)
    expect(me).toMatchObject({ id: options.user.id, userHandle: options.user.id, hasPassword: false })
    expect(me.session.methods).toEqual(['passkey'])
    expect(me.passkeys).toEqual([answer.body.passkey])
    expect((await authenticate(another(), authenticator)).status).toBe(200)
  })
}

test('a passkey is described by what its authenticator reported', async ({ client, another, authenticator }) => {
  const synced = (await signUpWithPasskey(client, authenticator)).answer.body.passkey
  expect(Object.keys(synced).sort()).toEqual(PASSKEY_KEYS)
  expect(synced).toMatchObject({ backedUp: true, deviceType: 'multiDevice', transports: ['internal', 'hybrid'] })
  expect(new Date(synced.createdAt).toISOString()).toBe(synced.createdAt)
  const tampering = { flags: { be: false, bs: false }, transports: ['usb', 'nfc'] as ('usb' | 'nfc')[] }
  const bound = (await signUpWithPasskey(another(), authenticator, tampering)).answer.body.passkey
  expect(bound).toMatchObject({ backedUp: false, deviceType: 'singleDevice', transports: ['usb', 'nfc'] })
})

test('registration options require a valid username from a visitor @promise', async ({ client }) => {
  for (const body of [{}, { username: 'x' }, { username: 'with space' }, { username: 7 }]) {
    const answer = await client.post('/api/auth/register/options', body)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ username: expect.stringMatching(/\S/) })
  }
})

test('a visitor with a revoked session registers a new account', async ({ client, another, authenticator }) => {
  const { token } = await signUp(client)
  await client.post('/api/signout')
  const ended = another()
  ended.jar.set('latchkey-session', token)
  expectError(await ended.post('/api/auth/register/options', {}), 400, 'invalid_request')
  const username = randomName()
  const answer = await register(ended, authenticator, username)
  expect(answer.status, answer.text).toBe(201)
  expect(answer.body.user.username).toBe(username)
})

test('a passkey can be registered only once, by any account @promise', async ({ client, another, authenticator }) => {
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
  await signUp(newcomer, username)
})
