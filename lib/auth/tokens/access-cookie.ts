import { settings } from '@/lib/settings/settings'
import { nowInSeconds } from '../model/time'
import { cachedVerification } from './cached-verification'
import { authTimeOf, type Claims } from './claims'
import { issueToken, readToken } from './tokens'

export interface AccessCookie {
  token: string
  seconds: number
}

/**
 * The token for all apps under ACCESS_COOKIE_DOMAIN, since browsers send them one cookie; null without it. It lives as long as
 * the session, or a page that only calls its own server would be signed out while it is used.
 */
export async function issueAccessCookie(session: Claims<'session'>): Promise<AccessCookie | null> {
  if (!settings().accessCookie) return null
  const { sub, epoch, amr, pk, jti: sid } = session
  const iat = nowInSeconds()
  const seconds = session.exp - iat
  const claims = { sub, epoch, sid, amr, auth_time: authTimeOf(session), ...(pk !== undefined && { pk }) }
  const { token } = await issueToken('access', claims, seconds, { iat })
  return { token, seconds }
}

/** Checks the token alone: the session that it names may have been revoked. */
export const readAccessCookie = (token: string): Claims<'access'> | Promise<Claims<'access'> | null> =>
  cachedVerification('access', token, () => readToken('access', token))
