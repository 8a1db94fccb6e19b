import { createPasskey, signWithPasskey } from '../../../packages/kit/src/testing/passkey'
import { authenticationOptions, randomName, registrationOptions } from '../../support/accounts'
import { expect, test } from '../../support/fixtures'

test('a software passkey of latchkey-kit signs up and in', async ({ server, another }) => {
  const username = randomName()
  const client = another({ page: true })
  const { passkey, answer } = createPasskey(await registrationOptions(client, username), server.origin)
  expect((await client.post('/api/auth/register/verify', answer)).body).toMatchObject({ user: { username } })
  for (const again of [another(), another()]) {
    const response = signWithPasskey(passkey, await authenticationOptions(again), server.origin)
    const signedIn = await again.post('/api/auth/login/verify', response)
    expect(signedIn.body).toMatchObject({ user: { username }, stepUp: expect.any(String) })
  }
})
