import { OAuthError } from '@/lib/api/oauth-errors'
import { splitSpaced } from '../apps/app'
import { claimsOf } from '../apps/grants'
import { readUserinfoToken } from './issue'
import { findIssuedCode, type IssuedCode } from './issued-code'

/**
 * Verifies an access token. Reads the code that its `gid` names from the database each time, so that the token ends with grant
 * and account, and without offline_access with the session.
 *
 * @throws OAuthError invalid_token
 */
export async function requireAccessToken(token: string | null): Promise<IssuedCode> {
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

/** The userinfo endpoint (OpenID Connect Core section 5.3). */
export const userinfo = ({ access: { person, scopes } }: { access: IssuedCode }) => ({
  sub: person.id,
  ...claimsOf(person, scopes),
})
