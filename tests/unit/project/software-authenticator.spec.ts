import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { expect, test } from 'playwright/test'
import { Authenticator } from '../../support/webauthn/authenticator'
import { type Algorithm, generateKeys, type Tampering } from '../../support/webauthn/authenticator-data'

const ORIGIN = 'http://localhost:3000'
const RP = { rpName: 'Test', rpID: 'localhost' }
const EXPECTED = { expectedOrigin: ORIGIN, expectedRPID: 'localhost' }

async function ceremonies(algorithm: Algorithm, { create, get }: { create?: Tampering; get?: Tampering }) {
  const authenticator = new Authenticator(ORIGIN)
  const made = await generateRegistrationOptions({ ...RP, userName: 'a', supportedAlgorithmIDs: [-8, -7, -257] })
  const registration = await verifyRegistrationResponse({
    response: authenticator.create(made, create, algorithm),
    expectedChallenge: made.challenge,
    ...EXPECTED,
  })
  if (!registration.verified) return false
  const asked = await generateAuthenticationOptions({ rpID: RP.rpID })
  const { verified } = await verifyAuthenticationResponse({
    response: authenticator.get(asked, get),
    expectedChallenge: asked.challenge,
    credential: registration.registrationInfo.credential,
    ...EXPECTED,
  })
  return verified
}

for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
  test(`the software authenticator's ${algorithm} responses satisfy SimpleWebAuthn`, async () => {
    expect(await ceremonies(algorithm, {})).toBe(true)
  })

  test(`an ${algorithm} response with an invalid signature is rejected by SimpleWebAuthn`, async () => {
    expect(await ceremonies(algorithm, { get: { corruptSignature: true } }).catch(() => false)).toBe(false)
  })

  test(`an ${algorithm} response signed with another key is rejected by SimpleWebAuthn`, async () => {
    const signingKey = generateKeys(algorithm).privateKey
    expect(await ceremonies(algorithm, { get: { signingKey } }).catch(() => false)).toBe(false)
  })
}
