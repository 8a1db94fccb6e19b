import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { accessKeys } from '@/lib/auth/tokens/access-keys'

test('the key that signs access tokens cannot be read out of the process, nor does the published one hold it', async () => {
  const [{ signingKey: sign, verificationKey: verify, publicKey }] = await accessKeys()
  expect([sign.extractable, verify.extractable]).toEqual([false, false])
  expect([sign.usages, verify.usages]).toEqual([['sign'], ['verify']])
  expect(Object.keys(publicKey).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
})
