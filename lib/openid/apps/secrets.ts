import { randomBytes, timingSafeEqual } from 'node:crypto'
import { digestOf } from './digest'

/** The prefix lets scanners find a published secret. */
export const newSecret = () => `lk_${randomBytes(32).toString('base64url')}`

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
