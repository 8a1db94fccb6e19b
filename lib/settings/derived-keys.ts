import { createHmac, hkdfSync } from 'node:crypto'
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
