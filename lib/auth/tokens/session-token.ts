import { isoOfMilliseconds } from '../model/time'
import { cachedVerification } from './cached-verification'
import type { Claims } from './claims'
import { readToken } from './tokens'

/** `expiresAt`: `exp` in ISO 8601, formatted once per token. */
export type SessionClaims = Claims<'session'> & { expiresAt: string }

/** Checks the token alone: the session may have been revoked. */
export const readSessionToken = (token: string): SessionClaims | Promise<SessionClaims | null> =>
  cachedVerification('session', token, async () => {
    const claims = await readToken('session', token)
    return claims && { ...claims, expiresAt: isoOfMilliseconds(claims.exp * 1000) }
  })
