import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { method } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { accessKeys } from './access-keys'
import { type Claims, newTokenId, nowInSeconds } from './tokens'
import { cachedVerification } from './verified-tokens'

/** RFC 9068 section 2.2. `aud` is an app's origin, or in the access cookie those of all apps that share it. */
const accessClaims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  client_id: z.string(),
  sub: z.string(),
  preferred_username: z.string(),
  amr: z.array(method).min(1),
  auth_time: z.int(),
  iat: z.int(),
  exp: z.int(),
  jti: z.string().min(1),
})
export type AccessClaims = z.infer<typeof accessClaims>

/** Apps do not check for revocation, so a sign-out may take this long to reach them. */
export const accessSeconds = 300

type SessionClaims = Pick<Claims<'session'>, 'sub' | 'amr' | 'auth_time' | 'iat' | 'exp'>

/**
 * RFC 9068 with ES256. Expires with the session at the latest; `exp` in seconds since 1970.
 *
 * @param clientId the app's origin, or the domain of the access cookie
 */
export async function issueAccessToken(
  username: string,
  { sub, amr, auth_time, iat: since, exp: end }: SessionClaims,
  audience: string | string[],
  clientId: string,
): Promise<{ token: string; exp: number }> {
  const iat = nowInSeconds()
  const exp = Math.min(iat + accessSeconds, end)
  const [key] = await accessKeys()
  const claims: AccessClaims = {
    iss: settings().origins[0],
    aud: audience,
    client_id: clientId,
    sub,
    preferred_username: username,
    amr,
    auth_time: auth_time ?? since,
    iat,
    exp,
    jti: newTokenId(),
  }
  const header = { alg: 'ES256', typ: 'at+jwt', kid: key.publicKey.kid }
  return { token: await new SignJWT(claims).setProtectedHeader(header).sign(key.sign), exp }
}

/** Verifies signature, type, issuer and lifetime. */
export const readAccessToken = (token: string): AccessClaims | Promise<AccessClaims | null> =>
  cachedVerification('at', token, () => verifyAccessToken(token))

async function verifyAccessToken(token: string): Promise<AccessClaims | null> {
  const keys = await accessKeys()
  try {
    const keyOf = ({ kid }: { kid?: string }) => {
      const key = keys.find(({ publicKey }) => publicKey.kid === kid)
      if (!key) throw new errors.JWKSNoMatchingKey()
      return key.verify
    }
    const rules = { algorithms: ['ES256'], typ: 'at+jwt', issuer: settings().origins[0] }
    const { payload } = await jwtVerify(token, keyOf, rules)
    return accessClaims.safeParse(payload).data ?? null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
