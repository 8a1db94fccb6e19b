import { hash } from 'node:crypto'
import { nowInSeconds } from '@/lib/auth/model/time'
import { newTokenId } from '@/lib/auth/tokens/tokens'
import { settings } from '@/lib/settings/settings'
import { joinSpaced } from '../apps/space-separated'
import { acrOf } from '../grants/passkey-acr'
import { claimsOf } from '../grants/person'
import type { IssuedCode } from '../issued/issued-code'
import { signingKey } from '../keys/signing-keys'
import { tokenSeconds } from '../token-lifetime'
import { publicSessionId } from './public-session-id'
import { sign } from './signed-tokens'

/** `at_hash` (OpenID Connect Core section 3.1.3.6). */
const halfDigest = (token: string) => hash('sha256', token, 'buffer').subarray(0, 16).toString('base64url')

/** An access token for userinfo alone (RFC 9068), and an ID token (OpenID Connect Core section 2). */
export async function issueTokens(issued: IssuedCode): Promise<{ accessToken: string; idToken: string }> {
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
  // `gid` names the code: userinfo finds by it whether what was issued for the code has ended.
  // For userinfo, which is the issuer's own (RFC 9068 section 2.2): an app is not the audience of what it only carries.
  const access = { ...shared, aud: issuer, jti: newTokenId(), client_id: appId, scope: joinSpaced(scopes), gid: id }
  const accessToken = await sign('at+jwt', access, key)
  const idClaims = {
    ...shared,
    aud: appId,
    ...(nonce !== null && { nonce }),
    sid: publicSessionId(issued.rootId),
    at_hash: halfDigest(accessToken),
    ...claimsOf(person, scopes),
  }
  return { accessToken, idToken: await sign('JWT', idClaims, key) }
}
