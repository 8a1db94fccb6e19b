import { createECDH } from 'node:crypto'
import { calculateJwkThumbprint, SignJWT } from 'jose'
import { ApiError } from '@/lib/api/errors'
import type { accessTokenInput, EcKey } from '@/lib/api/schemas'
import { deriveKey } from '@/lib/settings/keys'
import { settings } from '@/lib/settings/settings'
import type { Parsed } from '../request'
import { isoOfMilliseconds, nowInSeconds } from '../time'
import { type Claims, methodReferences } from './claims'
import { cachedVerification, issueToken, keysInUse, newTokenId, readToken } from './tokens'

/** Apps do not check for revocation, so a sign-out may take this long to reach them. */
const accessSeconds = 300

interface IssuedToken {
  token: string
  iat: number
  exp: number
}

/** Issues a token for one app (RFC 9068, ES256), which expires with the session at the latest. @param app its origin */
async function issueAccessToken(
  { username, groups }: Named,
  session: Claims<'session'>,
  app: string,
): Promise<IssuedToken> {
  const { sub, amr } = session
  const iat = nowInSeconds()
  const [key] = await accessKeys()
  const claims = {
    iss: settings().origins[0],
    sub,
    aud: app,
    client_id: app,
    preferred_username: username,
    groups,
    // Begins with our own words, by which an app can tell a passkey that did not verify its user.
    amr: [...new Set([...amr, ...methodReferences(session)])],
    auth_time: session.auth_time,
    iat,
    exp: Math.min(iat + accessSeconds, session.exp),
    jti: newTokenId(),
  }
  const header = { alg: 'ES256', typ: 'at+jwt', kid: key.publicKey.kid }
  const token = await new SignJWT(claims).setProtectedHeader(header).sign(key.signingKey)
  return { token, iat, exp: claims.exp }
}

interface Named {
  username: string
  groups: string[]
}

interface TokenRequest extends Pick<Parsed<typeof accessTokenInput>, 'body'> {
  session: { user: Named; claims: Claims<'session'> }
  clientOrigin: string | null
}

/** A page gets tokens for its own app only, whatever `audience` says: with another's it could act there as the user. */
export async function getAccessToken({ body, session: { user, claims }, clientOrigin }: TokenRequest) {
  const app = clientOrigin ?? body.audience
  if (app === undefined || !settings().clientOrigins.includes(app))
    throw new ApiError('invalid_request', { fields: { audience: { key: 'audience_unknown' } } })
  const { token, exp } = await issueAccessToken(user, claims, app)
  return { token, expiresAt: isoOfMilliseconds(exp * 1000) }
}

interface AccessKey {
  publicKey: EcKey
  signingKey: CryptoKey
}

export const accessKeys = () => keysInUse('access-keys', accessKey)

/** The order of P-256 (FIPS 186-5, SP 800-186 section 3.2.1.3) */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * Derives the key from the secret, so that every instance has it and none stores it. 320 bits make the remainder as good as
 * uniform (FIPS 186-5 appendix A.2.1).
 */
async function accessKey(secret: Uint8Array): Promise<AccessKey> {
  const c = BigInt(`0x${Buffer.from(deriveKey(secret, 'latchkey/at', 40)).toString('hex')}`)
  const d = Buffer.from(((c % (order - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d)
  const point = pair.getPublicKey()
  const encoded = (bytes: Buffer) => bytes.toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: encoded(point.subarray(1, 33)), y: encoded(point.subarray(33)) } as const
  const kid = await calculateJwkThumbprint(jwk)
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  return {
    publicKey: { ...jwk, kid, alg: 'ES256', use: 'sig' },
    signingKey: await crypto.subtle.importKey('jwk', { ...jwk, d: encoded(d) }, algorithm, false, ['sign']),
  }
}

export interface AccessCookie {
  token: string
  seconds: number
}

/**
 * Issues one token for all apps under ACCESS_COOKIE_DOMAIN, since browsers send them one cookie; null without that setting. It
 * lives as long as the session: otherwise a page that only calls its own server would be signed out while somebody uses it.
 */
export async function issueAccessCookie(session: Claims<'session'>): Promise<AccessCookie | null> {
  if (!settings().accessCookie) return null
  const { sub, epoch, amr, pk, jti: sid } = session
  const iat = nowInSeconds()
  const seconds = session.exp - iat
  const claims = { sub, epoch, sid, amr, auth_time: session.auth_time, ...(pk !== undefined && { pk }) }
  const { token } = await issueToken('access', claims, seconds, { iat })
  return { token, seconds }
}

/** Checks the token alone: somebody may have revoked the session that it names. */
export const verifyAccessCookie = (token: string): Claims<'access'> | Promise<Claims<'access'> | null> =>
  cachedVerification('access', token, () => readToken('access', token))
