import { SignJWT } from 'jose'
import { settings } from '@/lib/settings/settings'
import { nowInSeconds } from '../model/time'
import { accessKeys } from './access-keys'
import { authTimeOf, type Claims } from './claims'
import { methodReferences } from './method-references'
import { newTokenId } from './tokens'

/** Apps do not check for revocation, so a sign-out may take this long to reach them. */
const accessSeconds = 300

interface IssuedToken {
  token: string
  iat: number
  exp: number
}

/** RFC 9068 with ES256, for one app. Expires with the session at the latest. @param app its origin */
export async function issueAccessToken(
  { username, groups }: { username: string; groups: string[] },
  session: Claims<'session'>,
  app: string,
): Promise<IssuedToken> {
  const { sub, amr } = session
  const iat = nowInSeconds()
  const [key] = await accessKeys()
  const claims = {
    iss: settings().origins[0],
    sub,
    aud: app,
    client_id: app,
    preferred_username: username,
    groups,
    // Our own word first, without which an app could not tell a passkey that did not verify its user.
    amr: [...new Set([...amr, ...methodReferences(session)])],
    auth_time: authTimeOf(session),
    iat,
    exp: Math.min(iat + accessSeconds, session.exp),
    jti: newTokenId(),
  }
  const header = { alg: 'ES256', typ: 'at+jwt', kid: key.publicKey.kid }
  const token = await new SignJWT(claims).setProtectedHeader(header).sign(key.signingKey)
  return { token, iat, exp: claims.exp }
}
