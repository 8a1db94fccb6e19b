import type { Claims } from './claims'
import { readToken } from './tokens'
import { cachedVerification } from './verified-tokens'

/** `expiresAt`: `exp` in ISO 8601, formatted once per token. */
export type SessionClaims = Claims<'session'> & { expiresAt: string }

/** Checks the token alone: the session may have been revoked. */
export const readSessionToken = (token: string): SessionClaims | Promise<SessionClaims | null> =>
  cachedVerification('session', token, async () => {
    const claims = await readToken('session', token)
    return claims && { ...claims, expiresAt: new Date(claims.exp * 1000).toISOString() }
  })
