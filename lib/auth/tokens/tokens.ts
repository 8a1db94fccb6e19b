import { randomBytes } from 'node:crypto'
import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import { nowInSeconds } from '../model/time'
import { type Claims, claimSchemas, type RegisteredClaims, type TokenType } from './claims'
import { tokenKeys } from './token-keys'

const clockSkewSeconds = 5

/** 128 random bits, base64url. */
export const newTokenId = () => randomBytes(16).toString('base64url')

/** Signs with HS256. `seconds` is the lifetime from `iat` on; `exp` is in seconds since 1970. */
export async function issueToken<T extends TokenType>(
  type: T,
  payload: Omit<Claims<T>, RegisteredClaims>,
  seconds: number,
  { jti = newTokenId(), iat = nowInSeconds() } = {},
): Promise<{ token: string; jti: string; exp: number }> {
  const exp = iat + seconds
  const [key] = await tokenKeys(type)
  const token = await new SignJWT({ ...payload, jti, iat, exp })
    // Explicit typing (RFC 8725 section 3.11): a token of one type must not be accepted as another.
    .setProtectedHeader({ alg: 'HS256', typ: `${type}+jwt` })
    .sign(key)
  return { token, jti, exp }
}

/** Verifies signature, type and lifetime (RFC 8725 sections 3.1 and 3.11), but not whether the token has been consumed. */
export async function readToken<T extends TokenType>(type: T, token: string): Promise<Claims<T> | null> {
  const payload = await signedPayload(type, token, { typ: `${type}+jwt` }).catch(nullIfInvalid)
  // jose accepts a missing exp and a future iat: the schema requires the one, the comparison rejects the other.
  const { data } = claimSchemas[type].safeParse(payload)
  return data && data.iat <= nowInSeconds() + clockSkewSeconds ? (data as Claims<T>) : null
}

/** One of our types without our signature. Also true of a token that was signed under a secret before the previous one. */
export async function isForged(token: string): Promise<boolean> {
  const type = readType(token)
  if (type === null) return false
  try {
    return (await signedPayload(type, token)) === null
  } catch (error) {
    return error instanceof errors.JOSEAlgNotAllowed
  }
}

/** Null if no key has signed the token. @throws JOSEError if it is invalid for another reason */
async function signedPayload(type: TokenType, token: string, rules: JWTVerifyOptions = {}): Promise<JWTPayload | null> {
  for (const key of await tokenKeys(type)) {
    try {
      return (await jwtVerify(token, key, { ...rules, algorithms: ['HS256'] })).payload
    } catch (error) {
      // The previous secret may have signed it.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  return null
}

function nullIfInvalid(error: unknown): null {
  if (error instanceof errors.JOSEError) return null
  throw error
}

function readType(token: string): TokenType | null {
  try {
    const type = decodeProtectedHeader(token).typ?.replace(/\+jwt$/, '') ?? ''
    return Object.hasOwn(claimSchemas, type) ? (type as TokenType) : null
  } catch {
    return null
  }
}
