import fc from 'fast-check'
import { authenticationOptions, randomName, registrationOptions, signUpWithPasskey } from '../../support/accounts'
import { expectWellFormedError } from '../../support/expectations'
import { test } from '../../support/fixtures'
import { runsOf } from '../../support/properties'

test('an assertion with any byte changed is rejected @promise', async ({ client, another, authenticator }) => {
  // EdDSA, because the DER encoding of an ES256 signature has bytes that do not change its meaning.
  await signUpWithPasskey(client, authenticator, {}, 'EdDSA')
  const part = fc.constantFrom('clientDataJSON' as const, 'authenticatorData' as const, 'signature' as const)
  const property = fc.asyncProperty(part, fc.nat(), fc.integer({ min: 1, max: 255 }), async (name, at, mask) => {
    const assertion = authenticator.get(await authenticationOptions(client))
    assertion.response[name] = changed(assertion.response[name], at, mask)
    expectWellFormedError(await another().post('/api/auth/login/verify', assertion))
  })
  await fc.assert(property, runsOf(60))
})

test('a registration with any byte changed never causes an internal error', async ({
  client,
  another,
  authenticator,
}) => {
  const part = fc.constantFrom('clientDataJSON' as const, 'attestationObject' as const)
  const property = fc.asyncProperty(part, fc.nat(), fc.integer({ min: 1, max: 255 }), async (name, at, mask) => {
    const made = authenticator.create(await registrationOptions(client, randomName()))
    made.response[name] = changed(made.response[name], at, mask)
    // An attestation of format none protects only the key, so that a changed AAGUID is accepted.
    expectWellFormedError(await another().post('/api/auth/register/verify', made), 201)
  })
  await fc.assert(property, runsOf(60))
})

function changed(part: string, at: number, mask: number): string {
  const bytes = Buffer.from(part, 'base64url')
  const index = at % bytes.length
  bytes[index] = (bytes[index] ?? 0) ^ mask
  return bytes.toString('base64url')
}
