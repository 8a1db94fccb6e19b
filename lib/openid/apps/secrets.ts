import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits need no slow digest. The prefix lets scanners find a published secret. */
export const newSecret = () => `lk_${randomBytes(32).toString('base64url')}`

export const digestOf = (secret: string) => hash('sha256', secret, 'base64url')

interface Secrets {
  secretHash: string | null
  previousSecretHash: string | null
  previousSecretUntil: number | null
}

/** In constant time, which reveals nothing about the secret. */
export function isSecretOf(app: Secrets, secret: string, now = Date.now()): boolean {
  const given = Buffer.from(digestOf(secret))
  const isSame = (digest: string | null) => digest !== null && timingSafeEqual(Buffer.from(digest), given)
  return isSame(app.secretHash) || ((app.previousSecretUntil ?? 0) > now && isSame(app.previousSecretHash))
}
