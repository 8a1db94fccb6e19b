import { randomBytes } from 'node:crypto'
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { limits } from '@/lib/api/limits'
import { method } from '@/lib/api/schemas'
import { tokenKeys } from './token-keys'

const registeredClaims = z.object({ jti: z.string().min(1), iat: z.int(), exp: z.int() })

/** Lets whoever has it create one account while SIGN_UP=invited; `groups`: that it joins */
const invitation = registeredClaims.extend({ groups: z.array(z.string()).exactOptional() })

const claims = {
  /**
   * `auth_time`: when a credential was last shown, `iat` if absent; `pk`: the passkey that was shown; `uv`: it verified its
   * user (WebAuthn section 6.1), which sessions opened before there was this claim do not say; `root`: the `jti` of the first
   * of the sessions that this one was given in place of
   */
  session: registeredClaims.extend({
    sub: z.string(),
    epoch: z.int(),
    amr: z.array(method).min(1),
    auth_time: z.int().exactOptional(),
    pk: z.string().exactOptional(),
    uv: z.literal(true).exactOptional(),
    root: z.string().exactOptional(),
  }),
  /** Proof of a credential, worthless without the session whose `jti` is `sid` */
  'step-up': registeredClaims.extend({ sub: z.string(), epoch: z.int(), sid: z.string(), amr: z.array(method).min(1) }),
  /**
   * A challenge for account `sub`: to be created if there is a `username`, otherwise that of session `sid`; `automatic`:
   * conditional create; `invitation`: what creating the account consumes
   */
  register: registeredClaims.extend({
    sub: z.string(),
    sid: z.string().optional(),
    username: z.string().optional(),
    automatic: z.literal(true).optional(),
    invitation: invitation.pick({ jti: true, exp: true, groups: true }).optional(),
  }),
  /** A challenge, limited to the account of `username` if present, and to session `sid` and its account `sub` */
  login: registeredClaims.extend({
    username: z.string().optional(),
    sub: z.string().optional(),
    sid: z.string().optional(),
  }),
  invitation,
  /**
   * When somebody began to sign in to `app` (its name), with the digest of the app's request; `sid`: the session there
   * was; `fresh`: that session does not do; `hint`: who it is, as the app believes
   */
  'request-start': registeredClaims.extend({
    app: z.string(),
    digest: z.string(),
    sid: z.string().optional(),
    fresh: z.literal(true).optional(),
    hint: z.string().optional(),
  }),
  /** An app's request, the `query` of its address, that waits for what the session with root `sid` says to it */
  'app-request': registeredClaims.extend({ sid: z.string(), query: z.string() }),
  /** What the session with root `sid` has said to the app's request of this digest */
  'consent-answer': registeredClaims.extend({ sid: z.string(), digest: z.string(), allow: z.boolean() }),
  /** An app's logout, the `query` of its address, that waits for the yes of the session with root `sid` */
  'sign-out-request': registeredClaims.extend({ sid: z.string(), query: z.string() }),
  /** Marks a browser that has signed in to account `sub` */
  device: registeredClaims.extend({ sub: z.string(), epoch: z.int() }),
  /** Carries the client's address to the backend of a split deployment; never sent to clients */
  'client-address': registeredClaims.extend({ address: z.string().min(1) }),
}

export type TokenType = keyof typeof claims
export type Claims<T extends TokenType> = z.infer<(typeof claims)[T]>

/** The first of the sessions that this one was given in place of, by which apps know it: a step-up changes nothing for them. */
export const rootOf = ({ root, jti }: Pick<Claims<'session'>, 'root' | 'jti'>) => root ?? jti

export const challengeSeconds = 600
export const deviceSeconds = limits.cookie
export const stepUpSeconds = 600
/** It serves one request; the rest is a margin for clock skew. */
export const clientAddressSeconds = 60

const clockSkewSeconds = 5

export const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** 128 random bits, base64url. */
export const newTokenId = () => randomBytes(16).toString('base64url')

/** Signs with HS256. `seconds` is the lifetime from `iat` on; `exp` is in seconds since 1970. */
export async function issueToken<T extends TokenType>(
  type: T,
  payload: Omit<Claims<T>, keyof z.infer<typeof registeredClaims>>,
  seconds: number,
  { jti = newTokenId(), iat = nowInSeconds() } = {},
): Promise<{ token: string; jti: string; exp: number }> {
  const exp = iat + seconds
  const [key] = await tokenKeys(type)
  if (!key) throw new Error('There is no key to sign with.')
  const token = await new SignJWT({ ...payload, jti, iat, exp })
    // Explicit typing (RFC 8725 section 3.11): a token of one type must not be accepted as another.
    .setProtectedHeader({ alg: 'HS256', typ: `${type}+jwt` })
    .sign(key)
  return { token, jti, exp }
}

/**
 * Verifies signature, type and lifetime (RFC 8725 sections 3.1 and 3.11: one algorithm, one type), but not whether the
 * token has been consumed.
 */
export async function readToken<T extends TokenType>(type: T, token: string): Promise<Claims<T> | null> {
  for (const key of await tokenKeys(type)) {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], typ: `${type}+jwt` })
      // jose accepts a missing exp and a future iat: the schema requires the one, the comparison rejects the other.
      const { data } = claims[type].safeParse(payload)
      return data && data.iat <= nowInSeconds() + clockSkewSeconds ? (data as Claims<T>) : null
    } catch (error) {
      // The previous secret may have signed it.
      if (error instanceof errors.JWSSignatureVerificationFailed) continue
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }
  return null
}

/**
 * Whether a token has one of our types but no signature of ours: somebody has made or changed it. Also true of a token
 * signed before the secret was replaced.
 */
export async function isForged(token: string): Promise<boolean> {
  const type = readType(token)
  if (type === null) return false
  for (const key of await tokenKeys(type)) {
    try {
      await jwtVerify(token, key, { algorithms: ['HS256'] })
      return false
    } catch (error) {
      const isUnsigned =
        error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JOSEAlgNotAllowed
      if (!isUnsigned) return false
    }
  }
  return true
}

function readType(token: string): TokenType | null {
  try {
    const type = decodeProtectedHeader(token).typ?.replace(/\+jwt$/, '') ?? ''
    return Object.hasOwn(claims, type) ? (type as TokenType) : null
  } catch {
    return null
  }
}
