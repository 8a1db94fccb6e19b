import { hkdfSync } from 'node:crypto'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'

/**
 * The keys of a type of token: JWT_SECRET's, which signs, and JWT_SECRET_PREVIOUS's, which only verifies. Importing a key
 * takes half as long as a verification, so each is kept.
 */
export function tokenKeys(type: string): Promise<CryptoKey[]> {
  return singleton(`token-keys/${type}`, () => {
    const { secret, previousSecret } = settings()
    const secrets = previousSecret ? [secret, previousSecret] : [secret]
    return Promise.all(secrets.map((bytes) => importKey(keyBytes(type, bytes))))
  })
}

/**
 * Services that hold JWT_SECRET verify sessions under it. Every other type has a key of its own (HKDF, RFC 5869), so that
 * one that forgets to check `typ` cannot take a challenge or device token for a session.
 */
function keyBytes(type: string, secret: Uint8Array): Uint8Array<ArrayBuffer> {
  if (type === 'session') return new Uint8Array(secret)
  return new Uint8Array(hkdfSync('sha256', secret, '', `latchkey/${type}`, 32))
}

const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
