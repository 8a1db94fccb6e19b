import { DatabaseSync } from '@photostructure/sqlite'
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import { authenticate, randomName, register, registrationOptions, signUp } from '../support/accounts'
import {
  attestationObject,
  attestedCredential,
  authenticatorData,
  type HeldPasskey,
} from '../support/authenticator-data'
import { expectSignedIn } from '../support/expectations'
import { expect, test } from '../support/fixtures'
import type { Server } from '../support/server'

// What docs/passkey-evaluation.md claims and no other test has a reason to look at.

const KNOWN = 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'
const ZEROS = '00000000-0000-0000-0000-000000000000'
const UNKNOWN = '01020304-0506-0708-0102-030405060708'

/** A passkey's row, as it stands in the database file. */
function storedPasskey({ database }: Server, id: string) {
  const reader = new DatabaseSync(database, { readOnly: true })
  try {
    return reader.prepare('SELECT * FROM "Passkey" WHERE "id" = ?').get(id)
  } finally {
    reader.close()
  }
}

test('all that is to be known of a passkey is stored', { tag: '@embedded' }, async ({
  client,
  authenticator,
  server,
}) => {
  const { id: userId } = await signUp(client)
  const tampering = { aaguid: KNOWN, counter: 3, transports: ['internal' as const, 'hybrid' as const] }
  const { body } = await register(client, authenticator, undefined, tampering)
  const { id } = body.passkey
  const stored = storedPasskey(server, id)
  expect(id).toBe(authenticator.passkeys[0]?.id)
  expect(stored).toMatchObject({
    id: expect.stringMatching(/^[\w-]{43}$/),
    userId,
    name: 'Google Password Manager',
    counter: 3,
    transports: 'internal,hybrid',
    type: 'public-key',
    deviceType: 'multiDevice',
    backedUp: 1,
    aaguid: KNOWN,
    userVerified: 1,
    lastUsedAt: null,
  })
  expect(Math.abs(Date.parse(stored.createdAt) - Date.now())).toBeLessThan(30_000)
  const key = decodeCredentialPublicKey(new Uint8Array(stored.publicKey)) as unknown as Map<number, Uint8Array>
  const { x } = authenticator.passkeys[0]?.publicKey.export({ format: 'jwk' }) ?? {}
  expect(Buffer.from(key.get(-2) ?? []).toString('base64url')).toBe(x)
})

test('a sign-in stores the counter, the backup and the time of use', { tag: '@embedded' }, async ({
  client,
  authenticator,
  server,
}) => {
  const notYet = { counter: 3, flags: { be: true, bs: false } }
  const { body } = await register(client, authenticator, randomName(), notYet)
  expect(storedPasskey(server, body.passkey.id)).toMatchObject({ counter: 3, backedUp: 0, lastUsedAt: null })
  expect((await authenticate(client, authenticator, undefined, { counter: 9 })).status).toBe(200)
  const stored = storedPasskey(server, body.passkey.id)
  expect(stored).toMatchObject({ counter: 9, backedUp: 1 })
  expect(Math.abs(Date.parse(stored.lastUsedAt) - Date.now())).toBeLessThan(30_000)
})

test('the options ask for a passkey that can be found without a username, also in the older words', async ({
  client,
}) => {
  const { id } = await signUp(client)
  for (const body of [{}, { promotion: true }, { automatic: true }]) {
    const { authenticatorSelection, user } = (await client.post('/api/auth/register/options', body)).body
    expect(authenticatorSelection).toMatchObject({ residentKey: 'required', requireResidentKey: true })
    // 16 random bytes, which say nothing of the person.
    expect(user.id).toBe(id)
    expect(Buffer.from(user.id, 'base64url')).toHaveLength(16)
  }
})

test('the options of a new account leave open what keeps the passkey', async ({ client }) => {
  const options = await registrationOptions(client, randomName())
  expect(options.authenticatorSelection).not.toHaveProperty('authenticatorAttachment')
})

for (const [what, aaguid, provider] of [
  ['of a known provider names the passkey', KNOWN, 'Google Password Manager'],
  ['of a stranger leaves the passkey a plain name', UNKNOWN, null],
  ['of zeros leaves the passkey a plain name', ZEROS, null],
] as const) {
  test(`an AAGUID ${what}`, async ({ client, authenticator }) => {
    await signUp(client)
    const { body } = await register(client, authenticator, undefined, { aaguid })
    expect(body.passkey).toMatchObject({ provider, name: provider ?? 'Passkey' })
    expect((await expectSignedIn(client)).passkeys).toEqual([body.passkey])
  })
}

for (const [what, name, backedUp] of [
  ['that stays on its USB key is called a security key', 'Security key', false],
  ['on a USB key that is backed up has a plain name', 'Passkey', true],
] as const) {
  test(`a stranger's passkey ${what}`, async ({ client, authenticator }) => {
    await signUp(client)
    const flags = { be: backedUp, bs: backedUp }
    const { body } = await register(client, authenticator, undefined, { aaguid: UNKNOWN, transports: ['usb'], flags })
    expect(body.passkey).toMatchObject({ provider: null, name, backedUp })
  })
}

test('a registration that shows no credential, or one without a public key, is refused and stores nothing', async ({
  client,
  authenticator,
}) => {
  await signUp(client)
  for (const shown of ['none', 'keyless', 'whole'] as const) {
    const options = await registrationOptions(client)
    const made = authenticator.create(options)
    const [passkey] = authenticator.passkeys.slice(-1) as [HeldPasskey]
    const attested = attestedCredential(passkey, {})
    // An AAGUID of 16 bytes, the length of the id in 2, and the id of 32 come before the key.
    const left = { none: 0, keyless: 50, whole: attested.length }[shown]
    const authData = authenticatorData(passkey.rpId, { at: left > 0 }, {}, attested.subarray(0, left))
    const response = { ...made.response, attestationObject: attestationObject(authData) }
    const answer = await client.post('/api/auth/register/verify', { ...made, response })
    expect(answer.status, answer.text).toBe(shown === 'whole' ? 201 : 401)
    expect((await expectSignedIn(client)).passkeys).toHaveLength(shown === 'whole' ? 1 : 0)
  }
})
