import { generateRegistrationOptions } from '@simplewebauthn/server'
import type { z } from 'zod'
import { ApiError } from '@/lib/api/errors'
import { type RegistrationOptions, registrationOptionsInput } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { isTaken, newUserId, usernameKey } from '../accounts'
import type { RequestContext } from '../request-context'
import { findSession, requireRecentSignIn, type Session } from '../sessions'
import { consumeAttempt } from '../throttling-policies'
import { challengeSeconds, issueToken } from '../tokens'
import { parse } from '../validation'
import { algorithms } from './ceremony'
import { requirePasskeyCapacity } from './passkey'

type OptionsInput = z.infer<typeof registrationOptionsInput>

/**
 * Begins a registration: for a new account under a free name, or, with a session, for that session's account. Nothing is
 * written: the account is made when the answer is verified.
 *
 * @param body `{username?, automatic?, promotion?}`; with a session the name may only be its own. `automatic`: nobody is
 *   asked (conditional create); `promotion`: this device is asked for, where otherwise a security key will do too
 * @returns PublicKeyCredentialCreationOptionsJSON (WebAuthn section 5.1.8)
 * @throws ApiError invalid_request, not_signed_in, reauthentication_required, username_taken, too_many_attempts
 */
export async function createRegistrationOptions(body: unknown, context: RequestContext) {
  const input = parse(registrationOptionsInput, body)
  const session = await findSession(context.session)
  const account = session ? ownAccount(session, input) : await newAccount(input, context)
  const { token } = await issueToken('register', account.claims, challengeSeconds)
  const { rpId, appName, userVerification } = settings()
  return generateRegistrationOptions({
    rpName: appName,
    rpID: rpId,
    userName: account.username,
    userDisplayName: account.username,
    userID: new Uint8Array(Buffer.from(account.claims.sub, 'base64url')),
    challenge: token,
    timeout: challengeSeconds * 1000,
    attestationType: 'none',
    excludeCredentials: session?.passkeys.map(({ id, transports }) => ({ id, transports })) ?? [],
    authenticatorSelection: {
      residentKey: 'required',
      userVerification: input.automatic ? 'preferred' : userVerification,
    },
    supportedAlgorithmIDs: algorithms,
    ...(input.promotion && { preferredAuthenticatorType: 'localDevice' as const }),
  }) as Promise<RegistrationOptions>
}

function ownAccount(session: Session, { username: asked, automatic }: OptionsInput) {
  const { user, claims } = session
  requireRecentSignIn(session)
  requirePasskeyCapacity(session.passkeys)
  // A passkey that nobody is asked for rests on the password just given, so no other way of signing in will do.
  if (automatic && !claims.amr.includes('pwd')) throw new ApiError('reauthentication_required')
  if (asked !== undefined && usernameKey(asked) !== usernameKey(user.username)) {
    throw new ApiError('invalid_request', { fields: { username: { key: 'signed_in_as', username: user.username } } })
  }
  return { username: user.username, claims: { sub: user.id, ...(automatic && { automatic }) } }
}

async function newAccount({ username: asked, automatic }: OptionsInput, context: RequestContext) {
  if (automatic) throw new ApiError('not_signed_in')
  if (asked === undefined) throw new ApiError('invalid_request', { fields: { username: { key: 'username_missing' } } })
  // Counted before it is told, so that past the quota the answer is the same for free names and taken ones.
  const attempt = await consumeAttempt('address', context.address)
  if (await isTaken(asked)) throw new ApiError('username_taken')
  await attempt.refund()
  return { username: asked, claims: { sub: newUserId(), username: asked } }
}
