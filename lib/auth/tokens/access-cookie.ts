import * as z from 'zod'
import { method } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { accessKeys } from './access-keys'
import { signAccessToken } from './access-tokens'
import { cachedVerification } from './cached-verification'
import type { Claims } from './claims'
import { verifyWithKey } from './verify-with-key'

/** RFC 9068 section 2.2. The cookie ends with the session that it names. No username: every host of the domain gets it. */
const accessCookieClaims = z.object({
  iss: z.string(),
  aud: z.array(z.string()),
  client_id: z.string(),
  sub: z.string(),
  sid: z.string().min(1),
  epoch: z.int(),
  pk: z.string().exactOptional(),
  amr: z.tuple([method], z.string()),
  auth_time: z.int(),
  iat: z.int(),
  exp: z.int(),
  jti: z.string().min(1),
})
export type AccessCookieClaims = z.infer<typeof accessCookieClaims>

export interface AccessCookie {
  token: string
  seconds: number
}

/**
 * One access token for all apps under ACCESS_COOKIE_DOMAIN, since browsers send them one cookie; null without it. The domain is
 * no app's `client_id`, so that a token for an app is no access cookie.
 */
export async function issueAccessCookie(session: Claims<'session'>): Promise<AccessCookie | null> {
  const { accessCookie } = settings()
  if (!accessCookie) return null
  const { jti: sid, epoch, pk } = session
  const claims = { aud: accessCookie.origins, client_id: accessCookie.domain, sid, epoch }
  const { token, iat, exp } = await signAccessToken(session, { ...claims, ...(pk !== undefined && { pk }) })
  return { token, seconds: exp - iat }
}

/** Verifies signature, type, issuer and lifetime, but not whether the session is still valid. */
export const readAccessCookie = (token: string): AccessCookieClaims | Promise<AccessCookieClaims | null> =>
  cachedVerification('at', token, () => verifyAccessCookie(token))

async function verifyAccessCookie(token: string): Promise<AccessCookieClaims | null> {
  const keys = await accessKeys()
  const keyOf = (kid?: string) => keys.find(({ publicKey }) => publicKey.kid === kid)?.verificationKey ?? null
  const rules = { algorithms: ['ES256'], typ: 'at+jwt', issuer: settings().origins[0] }
  return accessCookieClaims.safeParse(await verifyWithKey(token, keyOf, rules)).data ?? null
}
