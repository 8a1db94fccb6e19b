import { OAuthError } from '@/lib/api/oauth-errors'
import type { AppWithSecrets } from '../apps/app'
import { splitSpaced } from '../apps/space-separated'
import { knownScopes } from '../grants/scopes'
import { invalidRefreshToken, isUnused, rotateToken } from '../issued/families'
import { endIssuedCode, findIssuedCode, type IssuedCode } from '../issued/issued-code'
import { familyOf } from '../issued/refresh-tokens'
import type { Exchanged, TokenRequest } from './token-request'

/** RFC 6749 section 6. Like a code, the token is consumed before it is checked, except for the scope. */
export async function refreshTokens({ body, app, context }: TokenRequest): Promise<Exchanged> {
  const { refresh_token: token, scope } = body
  if (token === undefined) throw new OAuthError('invalid_request', 'refresh_token is missing.')
  if (scope !== undefined) await requireGranted(scope, token, app)
  const { id, next } = await rotateToken(token, app, context)
  const issued = await findIssuedCode(id)
  if (!issued) {
    // For good: what excluded the person may be undone.
    await endIssuedCode(id)
    throw invalidRefreshToken()
  }
  return { issued: { ...issued, scopes: narrowed(issued, scope) }, refreshToken: next }
}

/** Before the token is consumed: a mistaken scope must not cost the app its refresh token. Others get `invalid_grant`. */
async function requireGranted(scope: string, token: string, app: AppWithSecrets): Promise<void> {
  const id = familyOf(token)
  const issued = id !== null && (await isUnused(token, app)) ? await findIssuedCode(id) : null
  if (issued) narrowed(issued, scope)
}

/** Unknown scopes are ignored, as in authorization requests; known ones that were not granted are not. */
function narrowed({ scopes }: IssuedCode, wanted: string | undefined): string[] {
  if (wanted === undefined) return scopes
  const words = splitSpaced(wanted)
  if (knownScopes.some((scope) => words.includes(scope) && !scopes.includes(scope)))
    throw new OAuthError('invalid_scope', 'The scope has more than was granted.')
  return scopes.filter((scope) => scope === 'openid' || words.includes(scope))
}
