import { OAuthError } from '@/lib/api/oauth-errors'
import { separated } from '../apps/app'
import { findGiven, type Given } from '../grants/given'
import { claimsOf, mayUse } from '../grants/person'
import { readSigned } from './signed-tokens'

/**
 * What an app's access token stands for, read from the database each time: it ends with grant, account and session.
 *
 * @throws OAuthError invalid_token
 */
export async function requireAccess(token: string | null): Promise<Given> {
  const claims = token === null ? null : await readSigned('at+jwt', token)
  const given = typeof claims?.gid === 'string' ? await findGiven(claims.gid, claims.jti) : null
  if (!given || !mayUse({ groups: given.appGroups }, given.person))
    throw new OAuthError('invalid_token', 'The access token is missing, has expired or has ended.', {
      authenticate: 'Bearer error="invalid_token"',
    })
  // A refresh may have asked for fewer.
  const asked = typeof claims?.scope === 'string' ? separated(claims.scope) : []
  return { ...given, scopes: given.scopes.filter((scope) => asked.includes(scope)) }
}

/** OpenID Connect Core section 5.3. */
export const userinfo = ({ access: { person, scopes } }: { access: Given }) => ({
  sub: person.id,
  ...claimsOf(person, scopes),
})
