import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { singleton } from '@/lib/process/singleton'
import { settings } from './settings'

/**
 * A key for one purpose, so that a value made for one is worthless for another and none reveals the secret
 * (HKDF-SHA-256, RFC 5869, empty salt).
 *
 * @param info names the purpose, for example `latchkey/rate-limit`
 */
export const deriveKey = (secret: Uint8Array, info: string, bytes = 32): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), info, bytes))

/** 128 bits in base64url, under JWT_SECRET's key of this purpose: of few possible texts, a plain digest can be brute-forced. */
export function keyedDigest(purpose: string, text: string): string {
  const [key] = derivedKeys(purpose)
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)
}

/** JWT_SECRET, then JWT_SECRET_PREVIOUS, which only verifies, opens and recognizes. */
export function secretsInUse(): [Uint8Array, ...Uint8Array[]] {
  const { secret, previousSecret } = settings()
  return previousSecret ? [secret, previousSecret] : [secret]
}

/** The keys of one purpose, in this order. */
export const derivedKeys = (info: string) =>
  singleton(`derived-keys/${info}`, () => {
    const [current, ...previous] = secretsInUse()
    return [deriveKey(current, info), ...previous.map((secret) => deriveKey(secret, info))] as const
  })

const cipherName = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts what the database keeps under JWT_SECRET's key of this purpose, so that a thief of the database can read none of it.
 *
 * @param owner additional data, such as the row's id, so that nobody who writes to the database can swap the values of two rows
 * @returns base64url: nonce, ciphertext, tag
 */
export function seal(purpose: string, content: Uint8Array, owner: string): string {
  const [key] = derivedKeys(purpose)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(cipherName, key, nonce).setAAD(Buffer.from(owner))
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/**
 * Decrypts; null if no secret opens it or somebody changed it. `current` is false if JWT_SECRET_PREVIOUS, whose key only opens, has
 * sealed it.
 */
export function unseal(purpose: string, sealed: string, owner: string): { content: Buffer; current: boolean } | null {
  const bytes = Buffer.from(sealed, 'base64url')
  for (const [index, key] of derivedKeys(purpose).entries()) {
    const content = open(key, bytes, owner)
    if (content) return { content, current: index === 0 }
  }
  return null
}

function open(key: Uint8Array, bytes: Buffer, owner: string): Buffer | null {
  try {
    const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
  } catch {
    return null
  }
}
