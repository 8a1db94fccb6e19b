import { hash } from 'node:crypto'
import { singleton } from '@/lib/process/singleton'

/** More than are busy at one time; an entry takes about half a kilobyte. */
const maxTokens = 16_384

/** Caches signatures, never whether a token was consumed. Keys are digests, so that the cache holds no tokens. */
export function cachedVerification<C extends { exp: number }>(
  type: string,
  token: string,
  verify: () => Promise<C | null>,
): C | Promise<C | null> {
  const verified = singleton(`verified-tokens/${type}`, () => new Map<string, C>())
  const digest = hash('sha256', token, 'base64url')
  const known = verified.get(digest)
  if (known) {
    if (known.exp * 1000 > Date.now()) return known
    verified.delete(digest)
  }
  return verify().then((claims) => {
    if (!claims) return null
    // The oldest goes first: a token in use is back at once.
    if (verified.size >= maxTokens) verified.delete(verified.keys().next().value as string)
    verified.set(digest, Object.freeze(claims))
    return claims
  })
}
