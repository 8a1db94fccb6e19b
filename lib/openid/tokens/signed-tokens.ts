import { SignJWT } from 'jose'
import { verifyWithKey } from '@/lib/auth/tokens/verify-with-key'
import { settings } from '@/lib/settings/settings'
import { type SigningKey, verificationKey } from '../keys/signing-keys'

/** Access, ID and logout tokens. One is never accepted as another (RFC 8725 section 3.11). */
type SignedType = 'at+jwt' | 'JWT' | 'logout+jwt'

/** RSASSA-PKCS1-v1_5 with SHA-256: the one that every client must know (OpenID Connect Core section 15.1). */
export const signingAlgorithm = 'RS256'

export const sign = (type: SignedType, claims: Record<string, unknown>, { kid, privateKey }: SigningKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: signingAlgorithm, typ: type, kid }).sign(privateKey)

/** A thumbprint (RFC 7638); the databases take no NUL. */
const isKeyId = (kid: string | undefined): kid is string => kid !== undefined && /^[\w-]{43}$/.test(kid)

interface Reading {
  /** Also accepts an expired token */
  expired?: boolean
  audience?: string
}

/** The claims, or null. The keys of `/api/token` verify nothing here. */
export function readSigned(type: SignedType, token: string, { expired = false, audience }: Reading = {}) {
  const keyOf = (kid?: string) => (isKeyId(kid) ? verificationKey(kid, { expired }) : null)
  const rules = {
    algorithms: [signingAlgorithm],
    typ: type,
    issuer: settings().origins[0],
    ...(audience && { audience }),
  }
  return verifyWithKey(token, keyOf, { ...rules, ...(expired && { currentDate: new Date(0) }) })
}
