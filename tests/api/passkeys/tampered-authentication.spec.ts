import { authenticate, signUp, signUpWithPasskey } from '../../support/accounts'
import { expectNoSession, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { generateKeys, type Tampering } from '../../support/webauthn/authenticator-data'

const TAMPERINGS: Record<string, Tampering> = {
  'another origin': { origin: 'https://evil.example' },
  'an origin that only begins like ours': { origin: 'http://localhost.evil.example' },
  'another port of our host': { origin: 'http://localhost:1' },
  'another RP id': { rpId: 'evil.example' },
  'the type of a registration': { type: 'webauthn.create' },
  'the type of a payment': { type: 'payment.get' },
  'another challenge': { challenge: Buffer.from('another challenge').toString('base64url') },
  'an empty challenge': { challenge: '' },
  'a frame of another site': { crossOrigin: true },
  'a frame of a named other site': { crossOrigin: true, topOrigin: 'https://evil.example' },
  'a top origin without a frame': { topOrigin: 'https://evil.example' },
  'no user present': { flags: { up: false } },
  'a backup without eligibility': { flags: { be: false, bs: true } },
  'attested data announced and not there': { flags: { at: true } },
  'another raw id': { rawId: 'bm90IHRoZSBzYW1l' },
  'a user handle of no account': { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' },
  'an empty user handle': { userHandle: '' },
  'no user handle': { userHandle: null },
}

for (const [what, tampering] of Object.entries(TAMPERINGS)) {
  test(`a passkey sign-in with ${what} is rejected @promise`, async ({ client, another, authenticator }) => {
    await signUpWithPasskey(client, authenticator)
    const thief = another()
    const answer = await authenticate(thief, authenticator, undefined, tampering)
    expect([400, 401], answer.text).toContain(answer.status)
    expect(['invalid_request', 'authentication_failed']).toContain(answer.body.code)
    expectNoSession(answer)
    expect(answer.cookies).toEqual([])
    await expectSignedOut(thief)
    expect((await authenticate(another(), authenticator)).status).toBe(200)
  })
}

for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
  test(`an invalid ${algorithm} signature and a signature of another ${algorithm} key are rejected @promise`, async ({
    client,
    another,
    authenticator,
  }) => {
    await signUpWithPasskey(client, authenticator, {}, algorithm)
    const tamperings = [{ corruptSignature: true }, { signingKey: generateKeys(algorithm).privateKey }]
    for (const tampering of tamperings) {
      const answer = await authenticate(another(), authenticator, undefined, tampering)
      expect(answer.status, answer.text).toBe(401)
      expectNoSession(answer)
    }
    expect((await authenticate(another(), authenticator)).status).toBe(200)
  })
}

test("a passkey sign-in with another account's user handle is rejected @promise", async ({
  client,
  another,
  authenticator,
}) => {
  const other = await signUp(another())
  await signUpWithPasskey(client, authenticator)
  const answer = await authenticate(another(), authenticator, undefined, { userHandle: other.id })
  expect(answer.status, answer.text).toBe(401)
  expectNoSession(answer)
})

test('a passkey sign-in without user verification is accepted while that is preferred @promise', async ({
  client,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator)
  expect((await authenticate(client, authenticator, undefined, { flags: { uv: false } })).status).toBe(200)
})
