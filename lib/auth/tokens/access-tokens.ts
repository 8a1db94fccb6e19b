import { SignJWT } from 'jose'
import * as z from 'zod'
import { method } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { nowInSeconds } from '../model/time'
import { accessKeys } from './access-keys'
import type { Claims } from './claims'
import { methodReferences } from './method-references'
import { newTokenId } from './tokens'
import { cachedVerification } from './verified-tokens'
import { verifyWithKey } from './verify-with-key'

/** RFC 9068 section 2.2. The cookie ends with the session that it names. No username: every host of the domain gets it. */
const cookieClaims = z.object({
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
export type CookieClaims = z.infer<typeof cookieClaims>

/** Apps do not check for revocation, so a sign-out may take this long to reach them. */
const accessSeconds = 300

interface IssuedToken {
  token: string
  iat: number
  exp: number
}

/** For one app. @param app its origin */
export const issueAccessToken = (
  { username, groups }: { username: string; groups: string[] },
  session: Claims<'session'>,
  app: string,
): Promise<IssuedToken> => issue(session, { aud: app, client_id: app, preferred_username: username, groups })

/** For forward-auth alone. @param domain no app's `client_id`, so that a token for an app is no access cookie */
export const issueCookieToken = (
  { jti: sid, epoch, pk, ...session }: Claims<'session'>,
  origins: string[],
  domain: string,
): Promise<IssuedToken> =>
  issue(session, { aud: origins, client_id: domain, sid, epoch, ...(pk !== undefined && { pk }) })

type ShownSession = Pick<Claims<'session'>, 'sub' | 'amr' | 'uv' | 'auth_time' | 'iat' | 'exp'>

/** RFC 9068 with ES256. Expires with the session at the latest. */
async function issue(
  { sub, auth_time, iat: since, exp: end, ...shown }: ShownSession,
  claims: { aud: string | string[]; client_id: string } & Record<string, unknown>,
): Promise<IssuedToken> {
  const iat = nowInSeconds()
  const exp = Math.min(iat + accessSeconds, end)
  const [key] = await accessKeys()
  // Our own word first, without which an app could not tell a passkey that did not verify its user.
  const amr = [...new Set([...shown.amr, ...methodReferences(shown)])]
  const common = { iss: settings().origins[0], sub, amr, auth_time: auth_time ?? since, iat, exp, jti: newTokenId() }
  const header = { alg: 'ES256', typ: 'at+jwt', kid: key.publicKey.kid }
  return {
    token: await new SignJWT({ ...common, ...claims }).setProtectedHeader(header).sign(key.signingKey),
    iat,
    exp,
  }
}

/** Verifies signature, type, issuer and lifetime of an access cookie, but not whether its session is still valid. */
export const readCookieToken = (token: string): CookieClaims | Promise<CookieClaims | null> =>
  cachedVerification('at', token, () => verifyCookieToken(token))

async function verifyCookieToken(token: string): Promise<CookieClaims | null> {
  const keys = await accessKeys()
  const keyOf = (kid?: string) => keys.find(({ publicKey }) => publicKey.kid === kid)?.verificationKey ?? null
  const rules = { algorithms: ['ES256'], typ: 'at+jwt', issuer: settings().origins[0] }
  return cookieClaims.safeParse(await verifyWithKey(token, keyOf, rules)).data ?? null
}
