import { generateAuthenticationOptions } from '@simplewebauthn/server'
import { type AuthenticationOptions, authenticationOptionsInput } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import type { RequestContext } from '../request-context'
import { findSession } from '../sessions'
import { challengeSeconds, issueToken } from '../tokens'
import { parse } from '../validation'

/**
 * Lists no passkeys, so as not to reveal which accounts exist: all are discoverable. With a session (reauthentication),
 * its account's passkeys are listed and no others are accepted.
 *
 * @param body `{username?}` limits which account's passkeys are accepted
 * @returns PublicKeyCredentialRequestOptionsJSON (WebAuthn section 5.1.9)
 * @throws ApiError invalid_request
 */
export async function createAuthenticationOptions(body: unknown, context: RequestContext) {
  const { username } = parse(authenticationOptionsInput.default({}), body)
  const session = await findSession(context.session)
  const claims = {
    ...(username !== undefined && { username }),
    ...(session && { sub: session.user.id, sid: session.claims.jti }),
  }
  const { token } = await issueToken('login', claims, challengeSeconds)
  const { rpId, userVerification } = settings()
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: token,
    timeout: challengeSeconds * 1000,
    // Reauthentication needs it of every passkey that can.
    userVerification: session?.passkeysCanVerify ? 'required' : userVerification,
    allowCredentials: session?.passkeys.map(({ id, transports }) => ({ id, transports })) ?? [],
  }) as Promise<AuthenticationOptions>
}
