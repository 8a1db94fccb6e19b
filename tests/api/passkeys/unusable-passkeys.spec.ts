import { isoCBOR } from '@simplewebauthn/server/helpers'
import {
  authenticate,
  randomName,
  register,
  registrationOptions,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { Authenticator } from '../../support/webauthn/authenticator'
import {
  attestationObject,
  attestedCredential,
  authenticatorData,
  coseKey,
  generateKeys,
  type HeldPasskey,
} from '../../support/webauthn/authenticator-data'

type Parameters = [number, number | Uint8Array<ArrayBuffer>][]

const cose = (...parameters: Parameters) => isoCBOR.encode(new Map(parameters))
const bytes = (length: number) => new Uint8Array(length).fill(7)

/** A good key in more bytes than one has. */
function padded(): Uint8Array<ArrayBuffer> {
  const good = isoCBOR.decodeFirst<Map<number, number | Uint8Array<ArrayBuffer>>>(
    coseKey({ algorithm: 'ES256', publicKey: generateKeys('ES256').publicKey }),
  )
  return isoCBOR.encode(good.set(-70_000, bytes(4_096)))
}

const KEYS: Record<string, () => Uint8Array<ArrayBuffer>> = {
  'an RSA key whose modulus is a number': () => cose([1, 3], [3, -257], [-1, 5]),
  'an EC key without coordinates': () => cose([1, 2], [3, -7], [-1, 1]),
  'a point that is not on its curve': () => cose([1, 2], [3, -7], [-1, 1], [-2, bytes(32)], [-3, bytes(32)]),
  'an RSA key of 8192 bits': () => cose([1, 3], [3, -257], [-1, bytes(1_024)], [-2, new Uint8Array([1, 0, 1])]),
  'an RSA key with an exponent of 64 bytes': () => cose([1, 3], [3, -257], [-1, bytes(256)], [-2, bytes(64)]),
  'a key of an unknown type': () => cose([1, 99], [3, -7]),
  'a key of more than 4,096 bytes': padded,
}

/** A registration response with this key in place of the passkey's. */
async function withKey(client: Client, authenticator: Authenticator, key: Uint8Array, username?: string) {
  const made = authenticator.create(await registrationOptions(client, username))
  const [passkey] = authenticator.passkeys.slice(-1) as [HeldPasskey]
  // The key follows 16 bytes of AAGUID, 2 of the id's length and 32 of the id (WebAuthn section 6.5.1).
  const attested = Buffer.concat([attestedCredential(passkey, {}).subarray(0, 50), key])
  const authData = authenticatorData(passkey.rpId, { at: true }, {}, attested)
  return { ...made, response: { ...made.response, attestationObject: attestationObject(authData) } }
}

for (const [what, key] of Object.entries(KEYS))
  test(`a registration with ${what} is rejected and stores nothing @promise`, async ({
    client,
    another,
    authenticator,
  }) => {
    const username = randomName()
    const made = await withKey(client, authenticator, key(), username)
    expectAuthenticationFailed(await client.post('/api/auth/register/verify', made))
    const owner = another()
    await signUp(owner, username)
    const added = await withKey(owner, authenticator, key())
    expectAuthenticationFailed(await owner.post('/api/auth/register/verify', added))
    expect((await expectSignedIn(owner)).passkeys).toEqual([])
  })

test('a registration whose attested id is another one, however long, is rejected and stores nothing @promise', async ({
  client,
  authenticator,
}) => {
  await signUp(client)
  for (const length of [32, 1_024, 45_000]) {
    const attested = Buffer.alloc(length, 5).toString('base64url')
    const made = authenticator.create(await registrationOptions(client), { id: attested })
    const answer = await client.post('/api/auth/register/verify', { ...made, id: 'b3RoZXI', rawId: 'b3RoZXI' })
    expectAuthenticationFailed(answer)
  }
  expect((await expectSignedIn(client)).passkeys).toEqual([])
})

test('a passkey with the longest id signs in', async ({ client, another, authenticator }) => {
  await signUp(client)
  const id = Buffer.alloc(1_023, randomName()).toString('base64url')
  expect((await register(client, authenticator, undefined, { id })).status).toBe(201)
  expect((await authenticate(another(), authenticator)).status).toBe(200)
})

test('registrations with keys that do not exist, or with a passkey that is taken, count towards the address limit', async ({
  start,
}) => {
  const server = await start({ env: { TRUSTED_PROXIES: '1', RATE_LIMIT_ADDRESS_MAX: '3' } })
  const from = (address: string) => new Client(server, { headers: { 'X-Forwarded-For': address } })
  const [maker, taker] = [from('198.51.100.1'), from('198.51.100.2')]
  const authenticator = new Authenticator(server.origin)
  const key = () => cose([1, 3], [3, -257], [-1, 5])
  const tryKey = async () =>
    maker.post('/api/auth/register/verify', await withKey(maker, authenticator, key(), randomName()))
  for (let time = 0; time < 3; time += 1) expectAuthenticationFailed(await tryKey())
  expectError(await tryKey(), 429, 'too_many_attempts')

  const holder = new Authenticator(server.origin)
  await signUpWithPasskey(from('198.51.100.3'), holder)
  const [{ id }] = holder.passkeys as [HeldPasskey]
  const take = async () => {
    const options = await registrationOptions(from('198.51.100.4'), randomName())
    return taker.post('/api/auth/register/verify', authenticator.create(options, { id }))
  }
  for (let time = 0; time < 3; time += 1) expectError(await take(), 409, 'passkey_taken')
  expectError(await take(), 429, 'too_many_attempts')
})
