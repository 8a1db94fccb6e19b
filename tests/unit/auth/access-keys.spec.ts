import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { accessKeys } from '@/lib/auth/tokens/access-tokens'

test('the key that signs access tokens cannot be read out of the process, nor does the published one hold it', async () => {
  const [{ signingKey, publicKey }] = await accessKeys()
  expect(signingKey.extractable).toBe(false)
  expect(signingKey.usages).toEqual(['sign'])
  expect(Object.keys(publicKey).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
})
