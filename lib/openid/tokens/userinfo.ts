import { OAuthError } from '@/lib/api/oauth-errors'
import { bearerOf } from '@/lib/auth/request'
import type { Claims } from '@/lib/auth/tokens/claims'
import { cachedVerification, issueToken, readToken } from '@/lib/auth/tokens/tokens'
import { settings } from '@/lib/settings/settings'
import { joinSpaced, splitSpaced } from '../apps/app'
import { claimsOf, tokenSeconds } from './claims'
import { findIssuedCode, type IssuedCode } from './codes'

/**
 * Issues an access token for userinfo, opaque to the app that carries it (RFC 6749 section 1.4). Only we read it, so an HMAC suffices: an
 * RSA signature costs a hundred times as much.
 */
export async function issueUserinfoToken({ id, appId, scopes }: IssuedCode, iat: number): Promise<string> {
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
export const userinfo = ({ access: { person, scopes } }: { access: IssuedCode }) => ({
  sub: person.id,
  ...claimsOf(person, scopes),
})
