import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, so a digest need not be slow. The prefix lets scanners find one that was published. */
export const newSecret = () => `lk_${randomBytes(32).toString('base64url')}`

export const digestOf = (secret: string) => hash('sha256', secret, 'base64url')

interface Secrets {
  secretHash: string | null
  previousSecretHash: string | null
  /** Milliseconds since 1970 */
  previousSecretUntil: number | null
}

/** Compares digests, in constant time: how long it takes says nothing of the secret. */
export function isSecretOf(app: Secrets, secret: string, now = Date.now()): boolean {
  const given = Buffer.from(digestOf(secret))
  const isSame = (digest: string | null) => digest !== null && timingSafeEqual(Buffer.from(digest), given)
  return isSame(app.secretHash) || ((app.previousSecretUntil ?? 0) > now && isSame(app.previousSecretHash))
}
