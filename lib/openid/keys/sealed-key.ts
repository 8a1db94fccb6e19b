import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { derivedKeys } from '@/lib/settings/secrets-in-use'

const algorithm = 'aes-256-gcm'
const [nonceBytes, tagBytes] = [12, 16]

/** JWT_SECRET's key seals; JWT_SECRET_PREVIOUS's only opens. */
const sealingKeys = () => derivedKeys('latchkey/signing-key')

/**
 * Seals a private key (PKCS #8), so that a stolen database signs nothing. `kid` is additional data: nobody who can write
 * to the database puts one key in place of another.
 *
 * @returns base64url of nonce, ciphertext and tag
 */
export function seal(privateKey: Uint8Array, kid: string): string {
  const [key] = sealingKeys()
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(kid))
  return Buffer.concat([nonce, cipher.update(privateKey), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/**
 * @returns null if neither secret has sealed it, or it was changed; `current` is false if the previous one has, so that
 *   it should be sealed again
 */
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
