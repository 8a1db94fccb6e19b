import { OAuthError } from '@/lib/api/oauth-errors'
import { settings } from '@/lib/settings/settings'
import { splitSpaced } from '../apps/app'
import { claimsOf } from '../grants/grants'
import { findIssuedCode, type IssuedCode } from '../issued/issued-code'
import { readSigned } from './issue'

/**
 * Reads the code that the token's `gid` names from the database each time: the token ends with grant and account, and without
 * offline_access with the session.
 *
 * @throws OAuthError invalid_token
 */
export async function requireAccessToken(token: string | null): Promise<IssuedCode> {
  // Without an error code in the header (RFC 6750 section 3.1).
  if (token === null) throw new OAuthError('invalid_token', 'There is no access token.', { authenticate: 'Bearer' })
  const claims = await readSigned('at+jwt', token, { audience: settings().origins[0] })
  const issued =
    typeof claims?.gid === 'string' ? await findIssuedCode(claims.gid, { accessTokenId: claims.jti }) : null
  if (!issued)
    throw new OAuthError('invalid_token', 'The access token is malformed, has expired or has ended.', {
      authenticate: 'Bearer error="invalid_token"',
    })
  // A refresh may have narrowed them.
  const inToken = typeof claims?.scope === 'string' ? splitSpaced(claims.scope) : []
  return { ...issued, scopes: issued.scopes.filter((scope) => inToken.includes(scope)) }
}

/** OpenID Connect Core section 5.3. */
export const userinfo = ({ access: { person, scopes } }: { access: IssuedCode }) => ({
  sub: person.id,
  ...claimsOf(person, scopes),
})
