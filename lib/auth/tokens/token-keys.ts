import { deriveKey } from '@/lib/settings/secret/derive-key'
import { keysInUse } from './keys-in-use'

/** Kept, as importing takes half as long as verifying. */
export const tokenKeys = (type: string) =>
  keysInUse(`token-keys/${type}`, (secret) => importKey(keyBytes(type, secret)))

/** Services verify sessions under JWT_SECRET. One that forgets to check `typ` must not accept tokens of another type. */
function keyBytes(type: string, secret: Uint8Array): Uint8Array<ArrayBuffer> {
  return type === 'session' ? new Uint8Array(secret) : deriveKey(secret, `latchkey/${type}`)
}

const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
