import { type Claims, readToken } from './tokens'
import { cachedVerification } from './verified-tokens'

/** `expiresAt`: `exp` as responses show it, made once for each token */
export type SessionClaims = Claims<'session'> & { expiresAt: string }

/** The claims of a session's token, also of one that is over; null if it is no such token. */
export const readSessionToken = (token: string): SessionClaims | Promise<SessionClaims | null> =>
  cachedVerification('session', token, async () => {
    const claims = await readToken('session', token)
    return claims && { ...claims, expiresAt: new Date(claims.exp * 1000).toISOString() }
  })
