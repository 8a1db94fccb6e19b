import { hash } from 'node:crypto'
import { SignJWT } from 'jose'
import { nowInSeconds } from '@/lib/auth/time'
import { newTokenId, verifyWithKey } from '@/lib/auth/tokens/tokens'
import { settings } from '@/lib/settings/settings'
import { joinSpaced } from '../apps/app'
import { ownScopes, type Target } from '../apps/resources'
import { acrOf, claimsOf, tokenSeconds } from './claims'
import type { IssuedCode } from './codes'
import { type SigningKey, signingKey, verificationKey } from './signing-keys'
import { issueUserinfoToken } from './userinfo'

/** `at_hash` (OpenID Connect Core section 3.1.3.6). */
const halfDigest = (token: string) => hash('sha256', token, 'buffer').subarray(0, 16).toString('base64url')

interface Tokens {
  accessToken: string
  expiresIn: number
  /** Null without the scope `openid` */
  idToken: string | null
}

/** Issues an access token for an API, or without one for userinfo alone, and an ID token (OpenID Connect Core section 2). */
export async function issueTokens(issued: IssuedCode, target: Target | null): Promise<Tokens> {
  const { appId, person, scopes, amr, nonce } = issued
  const iat = nowInSeconds()
  const acr = acrOf(amr)
  const shared = {
    iss: settings().origins[0],
    sub: person.id,
    iat,
    exp: iat + tokenSeconds,
    auth_time: issued.authTime,
    amr,
    ...(acr !== undefined && { acr }),
  }
  const accessToken = target
    ? await issueApiToken(target, {
        ...shared,
        client_id: appId,
        ...(scopes.includes('groups') && { groups: person.groups }),
      })
    : await issueUserinfoToken(issued, iat)
  const expiresIn = target?.lifetimeSeconds ?? tokenSeconds
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
  return { accessToken, expiresIn, idToken: await sign('JWT', idClaims, await signingKey()) }
}

/** Issues an access token (RFC 9068) for an API, which verifies it by the key set. */
async function issueApiToken(target: Target, claims: { iat: number; [claim: string]: unknown }): Promise<string> {
  const { identifier, scopes, lifetimeSeconds } = target
  const atApi = { aud: identifier, exp: claims.iat + lifetimeSeconds, scope: joinSpaced(scopes), jti: newTokenId() }
  return sign('at+jwt', { ...claims, ...atApi }, await signingKey())
}

/** Issues an access token for the app itself (RFC 9068 section 2.2): nobody is signed in. */
export const issueMachineToken = (app: { id: string }, target: Target): Promise<string> =>
  issueApiToken(target, { iss: settings().origins[0], sub: app.id, client_id: app.id, iat: nowInSeconds() })

/** The types of tokens for APIs, of ID and of logout tokens, so that nobody accepts one as another (RFC 8725 section 3.11). */
type SignedType = 'at+jwt' | 'JWT' | 'logout+jwt'

/** RSASSA-PKCS1-v1_5 with SHA-256: the one that every client must know (OpenID Connect Core section 15.1). */
export const signingAlgorithm = 'RS256'

export const sign = (type: SignedType, claims: Record<string, unknown>, { kid, privateKey }: SigningKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: signingAlgorithm, typ: type, kid }).sign(privateKey)

/** A thumbprint (RFC 7638); the databases take no NUL. */
const isKeyId = (kid: string | undefined): kid is string => kid !== undefined && /^[\w-]{43}$/.test(kid)

/** Reads the claims of an ID token that comes back, also of an expired one, or null. The keys of `/api/token` verify nothing here. */
export function readIdToken(token: string) {
  const keyOf = (kid?: string) => (isKeyId(kid) ? verificationKey(kid) : null)
  const rules = { algorithms: [signingAlgorithm], typ: 'JWT', issuer: settings().origins[0] }
  return verifyWithKey(token, keyOf, { ...rules, currentDate: new Date(0) })
}

/** Makes the claim `sid`: a digest, because a session's id is for its owner alone. */
export const publicSessionId = (rootId: string) => hash('sha256', `latchkey/sid ${rootId}`, 'base64url').slice(0, 22)
