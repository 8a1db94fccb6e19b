import { asyncSingleton } from '@/lib/process/singleton'
import { deriveKey } from '@/lib/settings/derive-key'
import { secretsInUse } from '@/lib/settings/secrets-in-use'

/** JWT_SECRET's key signs; JWT_SECRET_PREVIOUS's only verifies. Kept, as importing takes half as long as verifying. */
export const tokenKeys = (type: string) =>
  asyncSingleton(`token-keys/${type}`, async (): Promise<[CryptoKey, ...CryptoKey[]]> => {
    const [current, ...previous] = secretsInUse()
    const keyOf = (secret: Uint8Array) => importKey(keyBytes(type, secret))
    return [await keyOf(current), ...(await Promise.all(previous.map(keyOf)))]
  })

/** Services verify sessions under JWT_SECRET. One that forgets to check `typ` must not accept tokens of another type. */
function keyBytes(type: string, secret: Uint8Array): Uint8Array<ArrayBuffer> {
  return type === 'session' ? new Uint8Array(secret) : deriveKey(secret, `latchkey/${type}`)
}

const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
