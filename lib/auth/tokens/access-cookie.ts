import { settings } from '@/lib/settings/settings'
import { issueCookieToken } from './access-tokens'
import type { Claims } from './claims'

export interface AccessCookie {
  token: string
  seconds: number
}

/** One access token for all apps under ACCESS_COOKIE_DOMAIN, since browsers send them one cookie; null without it. */
export async function issueAccessCookie(session: Claims<'session'>): Promise<AccessCookie | null> {
  const { accessCookie } = settings()
  if (!accessCookie) return null
  const { token, iat, exp } = await issueCookieToken(session, accessCookie.origins, accessCookie.domain)
  return { token, seconds: exp - iat }
}
