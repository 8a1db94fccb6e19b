import { errors, jwtVerify, SignJWT } from 'jose'
import { settings } from '@/lib/settings/settings'
import { type SigningKey, verificationKey } from '../keys/signing-keys'

/**
 * `at+jwt`: an access token (RFC 9068); `JWT`: an ID token; `logout+jwt`: a logout token (OpenID Connect Back-Channel Logout
 * 1.0). One is never good for another (RFC 8725 section 3.11).
 */
export type SignedType = 'at+jwt' | 'JWT' | 'logout+jwt'

export const sign = (type: SignedType, claims: Record<string, unknown>, { kid, sign: key }: SigningKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: type, kid }).sign(key)

/** A thumbprint (RFC 7638): the databases take no NUL. */
const isKeyId = (kid: string | undefined): kid is string => kid !== undefined && /^[\w-]{43}$/.test(kid)

/**
 * The claims of a token that this server has signed with RS256; null for every other. The keys of `/api/token` are not
 * among those that verify here, nor these there.
 *
 * @param expired whether one that has expired is good, too
 */
export async function readSigned(type: SignedType, token: string, { expired = false } = {}) {
  try {
    const keyOf = async ({ kid }: { kid?: string }) => {
      const key = isKeyId(kid) ? await verificationKey(kid, expired) : null
      if (!key) throw new errors.JWKSNoMatchingKey()
      return key
    }
    const rules = { algorithms: ['RS256'], typ: type, issuer: settings().origins[0] }
    const when = expired ? { currentDate: new Date(0) } : {}
    const { payload } = await jwtVerify(token, keyOf, { ...rules, ...when })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
