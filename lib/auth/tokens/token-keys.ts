import { singleton } from '@/lib/process/singleton'
import { deriveKey } from '@/lib/settings/derive-key'
import { secretsInUse } from '@/lib/settings/secrets-in-use'

/** JWT_SECRET's key signs; JWT_SECRET_PREVIOUS's only verifies. Kept, as importing takes half as long as verifying. */
export function tokenKeys(type: string): Promise<CryptoKey[]> {
  return singleton(`token-keys/${type}`, () =>
    Promise.all(secretsInUse().map((bytes) => importKey(keyBytes(type, bytes)))),
  )
}

/**
 * Services that hold JWT_SECRET verify sessions under it. Every other type has a key of its own, so that one that forgets
 * to check `typ` cannot take a challenge or device token for a session.
 */
function keyBytes(type: string, secret: Uint8Array): Uint8Array<ArrayBuffer> {
  return type === 'session' ? new Uint8Array(secret) : deriveKey(secret, `latchkey/${type}`)
}

const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
