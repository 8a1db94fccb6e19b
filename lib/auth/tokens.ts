import { randomBytes } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { method } from '@/lib/api/schemas'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'

const base = z.object({ jti: z.string().min(1), iat: z.int(), exp: z.int() })

/** What each type of token must carry. A token of one type is worth nothing where another is expected. */
const types = {
  session: base.extend({ sub: z.string(), epoch: z.int(), amr: z.array(method).min(1) }),
  /** A challenge to register a passkey for account `sub`, which is yet to be made if there is a `username`; `automatic` if nobody is asked. */
  register: base.extend({ sub: z.string(), username: z.string().optional(), automatic: z.literal(true).optional() }),
  /** A challenge to sign in, as `username` or as account `sub` only if there is one. */
  login: base.extend({ username: z.string().optional(), sub: z.string().optional() }),
  /** A browser that has signed in to account `sub` before. */
  device: base.extend({ sub: z.string(), epoch: z.int() }),
  /** A front end's word to its backend on where a request came from; it never leaves the two. */
  'client-address': base.extend({ address: z.string().min(1) }),
}

export type TokenType = keyof typeof types
export type Claims<T extends TokenType> = z.infer<(typeof types)[T]>

/** Lifetime of a challenge, in seconds: long enough for a page that was left open over a coffee. */
export const challengeSeconds = 600
/** Lifetime of a device token, in seconds: the longest that browsers keep a cookie (RFC 6265bis section 5.5). */
export const deviceSeconds = 400 * 86_400

/** Lifetime of a client-address token, in seconds: it is made for one request, and clocks may be a little apart. */
export const clientAddressSeconds = 60

/** A clock of another instance may be this much ahead of ours. */
const skewSeconds = 5

const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** Importing the key costs half of a verification, so it is imported once. */
const key = () =>
  singleton('token-key', () => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    return crypto.subtle.importKey('raw', settings().secret, algorithm, false, ['sign', 'verify'])
  })

/**
 * Signs a token (JWS, HS256) of one type, with an id of its own (128 random bits).
 *
 * @param seconds its lifetime
 * @returns the token, its id, and when it expires (seconds since 1970)
 */
export async function issueToken<T extends TokenType>(
  type: T,
  claims: Omit<Claims<T>, keyof z.infer<typeof base>>,
  seconds: number,
): Promise<{ token: string; jti: string; exp: number }> {
  const jti = randomBytes(16).toString('base64url')
  const iat = nowInSeconds()
  const exp = iat + seconds
  const token = await new SignJWT({ ...claims, jti, iat, exp })
    // Explicit typing (RFC 8725 section 3.11): a token made for one purpose cannot be used for another.
    .setProtectedHeader({ alg: 'HS256', typ: `${type}+jwt` })
    .sign(await key())
  return { token, jti, exp }
}

/**
 * Checks a token's signature, type and times. Says nothing of whether it was spent.
 *
 * @returns its claims, or null for any token that is not good (RFC 8725 sections 3.1 and 3.11: one algorithm, one type)
 */
export async function readToken<T extends TokenType>(type: T, token: string): Promise<Claims<T> | null> {
  try {
    const { payload } = await jwtVerify(token, await key(), { algorithms: ['HS256'], typ: `${type}+jwt` })
    // jose lets a missing exp and an iat in the future pass, so the schema asks for one and the next line for the other.
    const { data } = types[type].safeParse(payload)
    return data && data.iat <= nowInSeconds() + skewSeconds ? (data as Claims<T>) : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
