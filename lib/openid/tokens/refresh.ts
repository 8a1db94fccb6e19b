import { OAuthError } from '@/lib/api/oauth-errors'
import { type AppWithSecrets, separated } from '../apps/app'
import { invalidToken, isUnused, rotateToken } from '../grants/families'
import { endIssuedCode, findIssuedCode, type IssuedCode } from '../grants/issued-code'
import { familyOf } from '../grants/refresh-tokens'
import { knownScopes } from '../grants/scopes'
import { isStillAllowed } from './still-allowed'
import type { Exchanged, TokenRequest } from './token-request'

/**
 * Issues new tokens for a refresh token (RFC 6749 section 6). The token is consumed first, and then all that it is bound to
 * is compared, but for the scope.
 */
export async function refreshTokens({ body, app, context }: TokenRequest): Promise<Exchanged> {
  const { refresh_token: token, scope } = body
  if (token === undefined) throw new OAuthError('invalid_request', 'There is no refresh_token.')
  if (scope !== undefined) await requireGranted(scope, token, app)
  const { id, next } = await rotateToken(token, app, context)
  const issued = await findIssuedCode(id)
  if (!issued) throw invalidToken()
  if (!isStillAllowed(app, issued)) {
    // For good: who comes back into a group of the app signs in again.
    await endIssuedCode(id)
    throw invalidToken()
  }
  // A nonce is of the request that the browser made (OpenID Connect Core section 12.2).
  return { issued: { ...issued, nonce: null, scopes: narrowed(issued, scope) }, refreshToken: next }
}

/**
 * Before the token is consumed: an app whose scope is too wide has made a mistake, and must not lose its refresh token.
 * Only for the app's own, unused token, so that every other is `invalid_grant` whatever the scope.
 */
async function requireGranted(scope: string, token: string, app: AppWithSecrets): Promise<void> {
  const id = familyOf(token)
  const issued = id !== null && (await isUnused(token, app)) ? await findIssuedCode(id) : null
  if (issued && isStillAllowed(app, issued)) narrowed(issued, scope)
}

/** Scopes that Latchkey does not know are ignored here, too; others that were not granted are not. */
function narrowed({ scopes }: IssuedCode, wanted: string | undefined): string[] {
  if (wanted === undefined) return scopes
  const words = separated(wanted)
  if (knownScopes.some((scope) => words.includes(scope) && !scopes.includes(scope)))
    throw new OAuthError('invalid_scope', 'The scope has more than was granted.')
  return scopes.filter((scope) => scope === 'openid' || words.includes(scope))
}
