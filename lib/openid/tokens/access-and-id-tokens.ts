import { hash } from 'node:crypto'
import { SignJWT } from 'jose'
import { OAuthError } from '@/lib/api/oauth-errors'
import { bearerOf } from '@/lib/auth/request'
import { nowInSeconds } from '@/lib/auth/time'
import type { Claims } from '@/lib/auth/tokens/claims'
import { cachedVerification, issueToken, newTokenId, readToken, verifyWithKey } from '@/lib/auth/tokens/tokens'
import { settings } from '@/lib/settings/settings'
import { joinSpaced, splitSpaced } from '../apps/app'
import { ownScopes, type Target } from '../apps/resources'
import { acrOf, claimsOf, tokenSeconds } from './claims'
import { findIssuedCode, type IssuedCode } from './codes'
import { type SigningKey, signingKey, verificationKey } from './signing-keys'

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

/**
 * Reads the claims of an ID token that comes back, also of an expired one, or null. The keys of `/api/token` verify nothing here.
 */
export function readIdToken(token: string) {
  const keyOf = (kid?: string) => (isKeyId(kid) ? verificationKey(kid) : null)
  const rules = { algorithms: [signingAlgorithm], typ: 'JWT', issuer: settings().origins[0] }
  return verifyWithKey(token, keyOf, { ...rules, currentDate: new Date(0) })
}

/** Makes the claim `sid`: a digest, because a session's id is for its owner alone. */
export const publicSessionId = (rootId: string) => hash('sha256', `latchkey/sid ${rootId}`, 'base64url').slice(0, 22)

/**
 * Issues an access token for userinfo, opaque to the app that carries it (RFC 6749 section 1.4). Only we read it, so an HMAC
 * suffices: an RSA signature costs a hundred times as much.
 */
async function issueUserinfoToken({ id, appId, scopes }: IssuedCode, iat: number): Promise<string> {
  const [issuer] = settings().origins
  const claims = { iss: issuer, aud: issuer, client_id: appId, scope: joinSpaced(scopes), gid: id }
  return (await issueToken('userinfo', claims, tokenSeconds, { iat })).token
}

/** Verifies the token alone: it may have ended. */
export async function readUserinfoToken(token: string): Promise<Claims<'userinfo'> | null> {
  const claims = await cachedVerification('userinfo', token, () => readToken('userinfo', token))
  const [issuer] = settings().origins
  return claims?.iss === issuer && claims.aud === issuer ? claims : null
}

/**
 * Verifies an access token. Reads the code that its `gid` names from the database each time, so that the token ends with grant
 * and account, and without offline_access with the session.
 *
 * @throws OAuthError invalid_request, invalid_token
 */
export async function requireAccessToken(authorization: string | null, form: unknown): Promise<IssuedCode> {
  const token = readAccessToken(authorization, form)
  // Leaves the error code out of the header (RFC 6750 section 3.1).
  if (token === null) throw new OAuthError('invalid_token', 'There is no access token.', { authenticate: 'Bearer' })
  const claims = await readUserinfoToken(token)
  const issued = claims && (await findIssuedCode(claims.gid, { accessTokenId: claims.jti }))
  if (!claims || !issued)
    throw new OAuthError('invalid_token', 'The access token is malformed, has expired or has ended.', {
      authenticate: 'Bearer error="invalid_token"',
    })
  // Takes the token's own scopes, which a refresh may have narrowed.
  const inToken = splitSpaced(claims.scope)
  return { ...issued, scopes: issued.scopes.filter((scope) => inToken.includes(scope)) }
}

/** Takes the token from the header or the form (RFC 6750 section 2), in one of which alone it may be. */
function readAccessToken(authorization: string | null, form: unknown): string | null {
  const header = bearerOf(authorization)
  const { access_token: posted } = (form ?? {}) as { access_token?: string }
  if (header !== null && posted !== undefined)
    throw new OAuthError('invalid_request', 'Send the access token in the header or in the form, not in both.')
  return header ?? posted ?? null
}

/** The userinfo endpoint (OpenID Connect Core section 5.3). */
export const userinfo = ({ issued: { person, scopes } }: { issued: IssuedCode }) => ({
  sub: person.id,
  ...claimsOf(person, scopes),
})
