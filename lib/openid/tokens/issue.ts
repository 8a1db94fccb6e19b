import { hash } from 'node:crypto'
import { SignJWT } from 'jose'
import { nowInSeconds } from '@/lib/auth/time'
import { newTokenId, verifyWithKey } from '@/lib/auth/tokens/tokens'
import { settings } from '@/lib/settings/settings'
import { joinSpaced } from '../apps/app'
import { acrOf, claimsOf } from '../apps/grants'
import { ownScopes, type Target } from '../apps/resources'
import type { IssuedCode } from './issued-code'
import { type SigningKey, signingKey, tokenSeconds, verificationKey } from './signing-keys'

/** `at_hash` (OpenID Connect Core section 3.1.3.6). */
const halfDigest = (token: string) => hash('sha256', token, 'buffer').subarray(0, 16).toString('base64url')

interface Tokens {
  accessToken: string
  expiresIn: number
  /** Null without the scope `openid` */
  idToken: string | null
}

/**
 * An access token (RFC 9068) for an API, or without one for userinfo alone, and an ID token (OpenID Connect Core section 2).
 */
export async function issueTokens(issued: IssuedCode, target: Target | null): Promise<Tokens> {
  const { id, appId, person, scopes, amr, nonce } = issued
  const iat = nowInSeconds()
  const acr = acrOf(amr)
  const issuer = settings().origins[0]
  const shared = {
    iss: issuer,
    sub: person.id,
    iat,
    exp: iat + tokenSeconds,
    auth_time: issued.authTime,
    amr,
    ...(acr !== undefined && { acr }),
  }
  const key = await signingKey()
  // `gid` names the code, by which userinfo finds out if the token has ended. The audience is the issuer, whose own userinfo is
  // (RFC 9068 section 2.2): an app is not the audience of a token that it only carries.
  const access = { ...shared, aud: issuer, jti: newTokenId(), client_id: appId, scope: joinSpaced(scopes), gid: id }
  const expiresIn = target?.lifetimeSeconds ?? tokenSeconds
  const accessToken = await sign(
    'at+jwt',
    target
      ? { ...access, ...claimsAt(target, iat), ...(scopes.includes('groups') && { groups: person.groups }) }
      : access,
    key,
  )
  // OAuth 2.0 alone (OpenID Connect Core section 3.1.2.1).
  if (!scopes.includes('openid')) return { accessToken, expiresIn, idToken: null }
  const idClaims = {
    ...shared,
    aud: appId,
    ...(nonce !== null && { nonce }),
    sid: publicSessionId(issued.rootId),
    at_hash: halfDigest(accessToken),
    ...claimsOf(person, ownScopes(scopes)),
  }
  return { accessToken, expiresIn, idToken: await sign('JWT', idClaims, key) }
}

const claimsAt = ({ identifier, scopes, lifetimeSeconds }: Target, iat: number) => ({
  aud: identifier,
  exp: iat + lifetimeSeconds,
  scope: joinSpaced(scopes),
})

/** An access token for the app itself (RFC 9068 section 2.2): nobody is signed in. */
export async function issueMachineToken(app: { id: string }, target: Target): Promise<string> {
  const iat = nowInSeconds()
  const claims = { iss: settings().origins[0], sub: app.id, client_id: app.id, iat, jti: newTokenId() }
  return sign('at+jwt', { ...claims, ...claimsAt(target, iat) }, await signingKey())
}

/** The types of access, ID and logout tokens, so that nobody accepts one as another (RFC 8725 section 3.11). */
type SignedType = 'at+jwt' | 'JWT' | 'logout+jwt'

/** RSASSA-PKCS1-v1_5 with SHA-256: the one that every client must know (OpenID Connect Core section 15.1). */
export const signingAlgorithm = 'RS256'

export const sign = (type: SignedType, claims: Record<string, unknown>, { kid, privateKey }: SigningKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: signingAlgorithm, typ: type, kid }).sign(privateKey)

/** A thumbprint (RFC 7638); the databases take no NUL. */
const isKeyId = (kid: string | undefined): kid is string => kid !== undefined && /^[\w-]{43}$/.test(kid)

interface Reading {
  /** True to accept an expired token, too */
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

/** The claim `sid`. A digest, because a session's id is for its owner alone. */
export const publicSessionId = (rootId: string) => hash('sha256', `latchkey/sid ${rootId}`, 'base64url').slice(0, 22)
