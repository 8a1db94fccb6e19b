import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
import { randomName, register, registrationOptions, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError, expectNoSession, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { Authenticator } from '../../support/webauthn/authenticator'
import {
  type AttestationStatement,
  attestationObject,
  attestedCredential,
  authenticatorData,
  type HeldPasskey,
  type Tampering,
} from '../../support/webauthn/authenticator-data'

const OTHER_CHALLENGE = Buffer.from('another challenge').toString('base64url')

const TAMPERINGS: Record<string, Tampering> = {
  'another origin': { origin: 'https://evil.example' },
  'an origin that only begins like ours': { origin: 'http://localhost.evil.example' },
  'another port of our host': { origin: 'http://localhost:1' },
  'another RP id': { rpId: 'evil.example' },
  'the type of a sign-in': { type: 'webauthn.get' },
  'no known type': { type: '' },
  'another challenge': { challenge: OTHER_CHALLENGE },
  'an empty challenge': { challenge: '' },
  'a frame of another site': { crossOrigin: true },
  'a frame of a named other site': { crossOrigin: true, topOrigin: 'https://evil.example' },
  'no user present': { flags: { up: false } },
  'a backup without eligibility': { flags: { be: false, bs: true } },
  'no attested data announced': { flags: { at: false } },
  'an algorithm that was not offered': { alg: -47 },
  'an ML-DSA algorithm': { alg: -48 },
  'another raw id': { rawId: 'bm90IHRoZSBzYW1l' },
}

for (const [what, tampering] of Object.entries(TAMPERINGS)) {
  test(`a registration with ${what} creates no account @promise`, async ({ client, authenticator }) => {
    const username = randomName()
    const answer = await register(client, authenticator, username, tampering)
    expect([400, 401], answer.text).toContain(answer.status)
    expect(['invalid_request', 'authentication_failed']).toContain(answer.body.code)
    expectNoSession(answer)
    expect(answer.cookies).toEqual([])
    await expectSignedOut(client)
    await signUp(client, username)
  })
}

test('a registration without a credential or without its public key is rejected and stores nothing @promise', async ({
  client,
  authenticator,
}) => {
  await signUp(client)
  for (const shown of ['none', 'keyless', 'whole'] as const) {
    const options = await registrationOptions(client)
    const made = authenticator.create(options)
    const [passkey] = authenticator.passkeys.slice(-1) as [HeldPasskey]
    const attested = attestedCredential(passkey, {})
    // The key follows 16 bytes of AAGUID, 2 of the id's length and 32 of the id (WebAuthn section 6.5.1).
    const left = { none: 0, keyless: 50, whole: attested.length }[shown]
    const authData = authenticatorData(passkey.rpId, { at: left > 0 }, {}, attested.subarray(0, left))
    const response = { ...made.response, attestationObject: attestationObject(authData) }
    const answer = await client.post('/api/auth/register/verify', { ...made, response })
    expect(answer.status, answer.text).toBe(shown === 'whole' ? 201 : 401)
    expect((await expectSignedIn(client)).passkeys).toHaveLength(shown === 'whole' ? 1 : 0)
  }
})

test('a statement about the authenticator, for which nobody asked, is not verified, whatever it holds', async ({
  client,
  authenticator,
}) => {
  await signUp(client)
  // Certificates of its sender's, whose revocation lists a verification would fetch.
  const statement: AttestationStatement = new Map()
    .set('alg', -7)
    .set('sig', new Uint8Array(8))
    .set('x5c', [new Uint8Array(8), new Uint8Array(8)])
  const formats = ['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'none', 'packed', 'tpm', 'unheard-of']
  for (const [index, format] of formats.entries()) {
    const made = authenticator.create(await registrationOptions(client))
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(made.response.attestationObject)).get('authData')
    const response = { ...made.response, attestationObject: attestationObject(authData, format, statement) }
    const answer = await client.post('/api/auth/register/verify', { ...made, response })
    expect(answer.status, `${format}: ${answer.text}`).toBe(201)
    expect((await expectSignedIn(client)).passkeys).toHaveLength(index + 1)
  }
})

test('a registration that is rejected for a long type leaves one short line in the log, without control characters', async ({
  client,
  authenticator,
  server,
}) => {
  const mark = randomName()
  const type = `${mark}\u001b\u202e${'x'.repeat(40_000)}`
  expectError(await register(client, authenticator, randomName(), { type }), 401, 'authentication_failed')
  const logged = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.includes(mark))
  await expect.poll(logged).toHaveLength(1)
  const [line = ''] = logged()
  expect(line.length).toBeLessThan(1000)
  expect(JSON.parse(line).reason).toMatch(/^\P{C}+$/u)
})

test('a registration with an RSA key of 1024 bits is rejected and stores nothing', async ({
  client,
  authenticator,
}) => {
  const username = randomName()
  expectError(await register(client, authenticator, username, {}, 'RS256-1024'), 401, 'authentication_failed')
  await expectSignedOut(client)
  await signUp(client, username)
  expectError(await register(client, authenticator, undefined, {}, 'RS256-1024'), 401, 'authentication_failed')
  expect((await expectSignedIn(client)).passkeys).toEqual([])
  expect((await register(client, authenticator, undefined, {}, 'RS256')).status).toBe(201)
})

test('a registration without user verification is accepted while that is preferred @promise', async ({
  client,
  authenticator,
}) => {
  expect((await register(client, authenticator, randomName(), { flags: { uv: false } })).status).toBe(201)
})

test('when user verification is required the options ask for it and both ceremonies enforce it @promise', async ({
  start,
}) => {
  const server = await start({ env: { WEBAUTHN_USER_VERIFICATION: 'required' } })
  const [client, authenticator] = [new Client(server), new Authenticator(server.origin)]
  const options = await registrationOptions(client, randomName())
  expect(options.authenticatorSelection?.userVerification).toBe('required')
  const unverified = { flags: { uv: false } }
  expect((await register(client, authenticator, randomName(), unverified)).status).toBe(401)
  expect((await register(client, authenticator, randomName())).status).toBe(201)
  const asking = await client.post('/api/auth/login/options')
  expect(asking.body.userVerification).toBe('required')
  const rejected = await client.post('/api/auth/login/verify', authenticator.get(asking.body, unverified))
  expect(rejected.status).toBe(401)
  const again = await client.post('/api/auth/login/options')
  expect((await client.post('/api/auth/login/verify', authenticator.get(again.body))).status).toBe(200)
})
