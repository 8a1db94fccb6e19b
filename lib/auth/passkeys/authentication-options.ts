import { generateAuthenticationOptions } from '@simplewebauthn/server'
import type { AuthenticationOptions, authenticationOptionsInput } from '@/lib/api/schemas'
import { isPhone, isPlatform, isSecurityKey } from '@/lib/api/transports'
import { settings } from '@/lib/settings/settings'
import type { Parsed, RequestContext } from '../model/request-context'
import { findSession, type Session } from '../sessions/find-session'
import { challengeSeconds } from '../tokens/claims'
import { issueToken } from '../tokens/tokens'

/**
 * WebAuthn section 5.1.9. Without a session, or for any account, they list no passkeys, so as not to reveal which accounts
 * exist. The challenge limits whose are accepted, by session or `username`.
 */
export async function createAuthenticationOptions({
  body: { username, anyAccount },
  context,
}: Pick<Parsed<typeof authenticationOptionsInput>, 'body'> & { context: Pick<RequestContext, 'session'> }) {
  const session = anyAccount ? null : await findSession(context.session)
  const claims = {
    ...(username !== undefined && { username }),
    ...(session && { sub: session.user.id, sid: session.claims.jti }),
  }
  const { token } = await issueToken('login', claims, challengeSeconds)
  const { rpId, userVerification } = settings()
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: token,
    timeout: challengeSeconds * 1000,
    // Reauthentication requires user verification of every passkey capable of it.
    userVerification: session?.passkeysCanVerify ? 'required' : userVerification,
    allowCredentials: session?.passkeys.map(({ id, transports }) => ({ id, transports })) ?? [],
  })
  const hints = session ? hintsFor(session) : []
  return { ...options, ...(hints.length > 0 && { hints }) } as AuthenticationOptions
}

/** Where browsers look first (WebAuthn section 5.8.7): for the passkey that opened the session, then for the others. */
function hintsFor({ passkeys, claims }: Session): Hint[] {
  const used = passkeys.filter(({ id }) => id === claims.pk)
  return [...new Set([...used, ...passkeys].flatMap(({ transports }) => hintsOf(transports)))]
}

type Hint = NonNullable<AuthenticationOptions['hints']>[number]

function hintsOf(transports: string[]): Hint[] {
  if (isSecurityKey(transports)) return ['security-key']
  const here: Hint[] = isPlatform(transports) ? ['client-device'] : []
  return isPhone(transports) ? [...here, 'hybrid'] : here
}
