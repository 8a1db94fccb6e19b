import type { RequestContext } from '../request'
import { isoOfMilliseconds } from '../time'
import type { Claims } from './claims'
import { cachedVerification, readToken } from './tokens'

/** `expiresAt`: `exp` in ISO 8601, formatted once per token. */
export type SessionClaims = Claims<'session'> & { expiresAt: string }

/** Checks the token alone: somebody may have revoked the session. */
export const readSessionToken = (token: string): SessionClaims | Promise<SessionClaims | null> =>
  cachedVerification('session', token, async () => {
    const claims = await readToken('session', token)
    return claims && { ...claims, expiresAt: isoOfMilliseconds(claims.exp * 1000) }
  })

/** Null unless the browser has signed in to an account before, in any epoch. */
export const readAnyDevice = async ({ device }: Pick<RequestContext, 'device'>): Promise<Claims<'device'> | null> =>
  device === null ? null : readToken('device', device)

/** Null unless the browser has signed in to this account before. */
export async function readDevice(userId: string, context: RequestContext): Promise<Claims<'device'> | null> {
  const claims = await readAnyDevice(context)
  return claims?.sub === userId ? claims : null
}
