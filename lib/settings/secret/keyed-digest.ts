import { createHmac } from 'node:crypto'
import { derivedKeys } from './secrets-in-use'

/** 128 bits in base64url, under JWT_SECRET's key of this purpose: of few possible texts, a plain digest can be brute-forced. */
export function keyedDigest(purpose: string, text: string): string {
  const [key] = derivedKeys(purpose)
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)
}
