import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { derivedKeys } from '@/lib/settings/secret/secrets-in-use'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Of JWT_SECRET, which seals, and of JWT_SECRET_PREVIOUS, which only opens. */
const sealingKeys = () => derivedKeys('latchkey/signing-key')

/** A stolen database signs nothing. `kid` is additional data, so that nobody who writes to the database swaps two keys. */
export function seal(privateKey: Uint8Array, kid: string): string {
  const [key] = sealingKeys()
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(kid))
  return Buffer.concat([nonce, cipher.update(privateKey), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** @returns null if no secret opens it or it was changed; `current` is false if the previous secret has sealed it */
export function unseal(sealed: string, kid: string): { privateKey: Buffer; current: boolean } | null {
  const bytes = Buffer.from(sealed, 'base64url')
  for (const [index, key] of sealingKeys().entries()) {
    const privateKey = open(key, bytes, kid)
    if (privateKey) return { privateKey, current: index === 0 }
  }
  return null
}

function open(key: Uint8Array, bytes: Buffer, kid: string): Buffer | null {
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(kid)).setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
  } catch {
    return null
  }
}
