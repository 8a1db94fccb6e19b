import { generateAuthenticationOptions } from '@simplewebauthn/server'
import type { AuthenticationOptions, authenticationOptionsInput } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import type { Parsed } from '../model/request-context'
import { findSession, type Session } from '../sessions/sessions'
import { challengeSeconds, issueToken } from '../tokens/tokens'

/**
 * Lists no passkeys, so as not to reveal which accounts exist: all are discoverable. With a session (reauthentication),
 * its account's passkeys are listed and no others are accepted.
 *
 * `username` limits which account's passkeys are accepted.
 *
 * @returns PublicKeyCredentialRequestOptionsJSON (WebAuthn section 5.1.9)
 */
export async function createAuthenticationOptions({
  body: { username },
  context,
}: Parsed<typeof authenticationOptionsInput>) {
  const session = await findSession(context.session)
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
    // Reauthentication needs it of every passkey that can.
    userVerification: session?.passkeysCanVerify ? 'required' : userVerification,
    allowCredentials: session?.passkeys.map(({ id, transports }) => ({ id, transports })) ?? [],
  })
  const hints = session ? hintsFor(session) : []
  return { ...options, ...(hints.length > 0 && { hints }) } as AuthenticationOptions
}

/**
 * Where the account's passkeys are, so that the browser asks there first (WebAuthn section 5.8.7): the one that the session
 * was opened with counts for more than the others.
 */
function hintsFor({ passkeys, claims }: Session): Hint[] {
  const used = passkeys.filter(({ id }) => id === claims.pk)
  return [...new Set([...used, ...passkeys].flatMap(({ transports }) => hintOf(transports)))]
}

type Hint = NonNullable<AuthenticationOptions['hints']>[number]

function hintOf(transports: string[]): Hint[] {
  const isOnPhone = transports.some((transport) => transport === 'hybrid' || transport === 'cable')
  if (transports.includes('internal')) return isOnPhone ? ['client-device', 'hybrid'] : ['client-device']
  if (transports.some((transport) => ['usb', 'nfc', 'smart-card'].includes(transport))) return ['security-key']
  return isOnPhone ? ['hybrid'] : []
}
