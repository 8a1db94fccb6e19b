import { generateAuthenticationOptions } from '@simplewebauthn/server'
import { type AuthenticationOptions, authenticationOptionsInput } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import type { RequestContext } from '../request-context'
import { findSession } from '../sessions'
import { challengeSeconds, issueToken } from '../tokens'
import { parse } from '../validation'

/**
 * Begins a sign-in. Every passkey here is discoverable, so no list of passkeys is sent: the options are the same whether or
 * not the account exists, and no database is asked. With a session the person is known and signs in again: only that
 * account's passkeys are offered, and only they will do.
 *
 * @param body `{username?}`: if given, only that account's passkey will do
 * @returns PublicKeyCredentialRequestOptionsJSON (WebAuthn section 5.1.9)
 * @throws ApiError invalid_request
 */
export async function createAuthenticationOptions(body: unknown, context: RequestContext) {
  const { username } = parse(authenticationOptionsInput.default({}), body)
  const session = await findSession(context.session)
  const claims = { ...(username !== undefined && { username }), ...(session && { sub: session.user.id }) }
  const { token } = await issueToken('login', claims, challengeSeconds)
  const { rpId, userVerification } = settings()
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: token,
    timeout: challengeSeconds * 1000,
    userVerification,
    allowCredentials: session?.passkeys.map(({ id, transports }) => ({ id, transports })) ?? [],
  }) as Promise<AuthenticationOptions>
}
