import { settings } from '@/lib/settings/settings'
import { issueAccessToken } from './access-tokens'
import { type Claims, nowInSeconds } from './tokens'

/** `seconds` is its lifetime. */
export interface AccessCookie {
  token: string
  seconds: number
}

/**
 * One access token for all apps under ACCESS_COOKIE_DOMAIN, since browsers send them one cookie; null without that
 * setting. `client_id` is the domain, which no token for a single app has.
 */
export async function issueAccessCookie(
  username: string,
  claims: Pick<Claims<'session'>, 'sub' | 'amr' | 'auth_time' | 'iat' | 'exp'>,
): Promise<AccessCookie | null> {
  const { accessCookie } = settings()
  if (!accessCookie) return null
  const { token, exp } = await issueAccessToken(username, claims, accessCookie.origins, accessCookie.domain)
  return { token, seconds: exp - nowInSeconds() }
}
