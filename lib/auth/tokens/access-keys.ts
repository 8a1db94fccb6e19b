import { createECDH } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import type { EcKey } from '@/lib/api/schemas'
import { deriveKey } from '@/lib/settings/secret/derive-key'
import { keysInUse } from './keys-in-use'

interface AccessKey {
  publicKey: EcKey
  signingKey: CryptoKey
}

export const accessKeys = () => keysInUse('access-keys', accessKey)

/** The order of P-256 (FIPS 186-5, SP 800-186 section 3.2.1.3) */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * Derived from the secret, so that every instance has it and none stores it. 320 bits make the remainder as good as
 * uniform (FIPS 186-5 appendix A.2.1).
 */
async function accessKey(secret: Uint8Array): Promise<AccessKey> {
  const c = BigInt(`0x${Buffer.from(deriveKey(secret, 'latchkey/at', 40)).toString('hex')}`)
  const d = Buffer.from(((c % (order - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d)
  const point = pair.getPublicKey()
  const encoded = (bytes: Buffer) => bytes.toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: encoded(point.subarray(1, 33)), y: encoded(point.subarray(33)) } as const
  const kid = await calculateJwkThumbprint(jwk)
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  return {
    publicKey: { ...jwk, kid, alg: 'ES256', use: 'sig' },
    signingKey: await crypto.subtle.importKey('jwk', { ...jwk, d: encoded(d) }, algorithm, false, ['sign']),
  }
}
