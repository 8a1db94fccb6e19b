import { verifyRegistrationResponse } from '@simplewebauthn/server'
import type { z } from 'zod'
import { ApiError } from '@/lib/api/errors'
import { type Passkey, registrationResponse, type User } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { publicUser } from '../accounts'
import { recordEvent } from '../events'
import type { RequestContext } from '../request-context'
import { findSession, type OpenedSession, openSession } from '../sessions'
import { claimName, consumeAttempt } from '../throttling-policies'
import { parse } from '../validation'
import { algorithms, consumeChallenge, countingFailures, requireVerified } from './ceremony'
import { requirePasskeyCapacity } from './passkey'
import { addPasskey, createPasskeyUser, newPasskey } from './store'

/** What a finished registration gives: the passkey, and the session that goes on or was opened with the account. */
export interface Registered {
  user: User
  passkey: Passkey
  expiresAt: string
  opened: OpenedSession | null
}

/**
 * Verifies a registration (WebAuthn section 7.1) and keeps the passkey.
 *
 * @param body RegistrationResponseJSON
 * @throws ApiError invalid_request, authentication_failed, username_taken, passkey_taken, too_many_attempts
 */
export async function verifyRegistration(body: unknown, context: RequestContext): Promise<Registered> {
  const input = parse(registrationResponse, body)
  const { claims, session, info } = await countingFailures(context, () => verifyAttestation(input, context))
  const passkey = newPasskey(info, input.response.transports)
  if (session) {
    const added = await addPasskey(session.user.id, passkey)
    await recordEvent(session.user.id, 'passkey_added', context)
    const expiresAt = new Date(session.claims.exp * 1000).toISOString()
    return { user: publicUser(session.user), passkey: added, expiresAt, opened: null }
  }
  const attempt = await consumeAttempt('address', context.address)
  const owner = await claimName(attempt, () => createPasskeyUser(claims.sub, claims.username as string, passkey))
  const opened = await openSession(owner.user, 'passkey', context)
  await recordEvent(owner.user.id, 'account_created', context, 'passkey')
  return { user: opened.user, passkey: owner.passkey, expiresAt: opened.session.expiresAt, opened }
}

async function verifyAttestation(input: z.infer<typeof registrationResponse>, context: RequestContext) {
  const { challenge, claims } = await consumeChallenge('register', input.response.clientDataJSON)
  const session = await findSession(context.session)
  // The challenge names the account: with a name it is for a new one and no session, without for this session's alone.
  const agrees = claims.username === undefined ? session?.user.id === claims.sub : session === null
  if (!agrees) throw new ApiError('authentication_failed')
  // Asked for while there was room, many challenges could be answered at once.
  if (session) requirePasskeyCapacity(session.passkeys)
  const { origins, rpId, userVerification } = settings()
  const { registrationInfo: info } = await requireVerified(
    verifyRegistrationResponse({
      response: { ...input, response: { ...input.response, transports: [] } },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: rpId,
      // Only the challenge that was marked for it: a passkey that nobody was asked for shows neither (section 5.1.3).
      requireUserPresence: !claims.automatic,
      requireUserVerification: userVerification === 'required' && !claims.automatic,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  return { claims, session, info }
}
