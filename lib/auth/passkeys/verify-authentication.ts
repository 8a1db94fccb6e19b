import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { z } from 'zod'
import { ApiError, isApiError } from '@/lib/api/errors'
import { authenticationResponse } from '@/lib/api/schemas'
import { log } from '@/lib/process/log'
import { settings } from '@/lib/settings/settings'
import { usernameKey } from '../accounts'
import { recordEvent, recordFailure } from '../events'
import type { RequestContext } from '../request-context'
import { type OpenedSession, openSession } from '../sessions'
import type { Claims } from '../tokens'
import { parse } from '../validation'
import { consumeChallenge, countingFailures, requireVerified } from './ceremony'
import { splitTransports } from './passkey'
import { findPasskey, recordUse } from './store'

type AuthenticationResponse = z.infer<typeof authenticationResponse>

/**
 * Verifies a sign-in (WebAuthn section 7.2) and opens a session.
 *
 * @param body AuthenticationResponseJSON
 * @throws ApiError invalid_request, authentication_failed, unknown_passkey, too_many_attempts
 */
export async function verifyAuthentication(body: unknown, context: RequestContext): Promise<OpenedSession> {
  const input = parse(authenticationResponse, body)
  const user = await countingFailures(context, () => verifyAssertion(input, context))
  const opened = await openSession(user, 'passkey', context)
  await recordEvent(user.id, 'signed_in', context, 'passkey')
  return opened
}

async function verifyAssertion(input: AuthenticationResponse, context: RequestContext) {
  const { challenge, claims } = await consumeChallenge('login', input.response.clientDataJSON)
  const passkey = await findPasskey(input.id)
  if (!passkey) throw new ApiError('unknown_passkey')
  try {
    requireOwner(passkey.user, input, claims)
    await requireValidAssertion(input, challenge, passkey)
  } catch (error) {
    if (isApiError(error)) recordFailure(passkey.userId, 'signin_failed', context, 'passkey')
    throw error
  }
  return passkey.user
}

type Found = NonNullable<Awaited<ReturnType<typeof findPasskey>>>

async function requireValidAssertion(input: AuthenticationResponse, challenge: string, passkey: Found) {
  const { origins, rpId, userVerification } = settings()
  const { authenticationInfo: info } = await requireVerified(
    verifyAuthenticationResponse({
      response: { ...input, response: withoutHandle(input.response) },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: rpId,
      requireUserVerification: userVerification === 'required',
      // The counter is judged by the update below, where two simultaneous answers meet; 0 leaves it all to that.
      credential: {
        id: passkey.id,
        publicKey: passkey.publicKey,
        counter: 0,
        transports: splitTransports(passkey.transports),
      },
    }),
  )
  if (!(await recordUse(passkey.id, info.newCounter, info.credentialBackedUp))) {
    log().warn({ event: 'counter_went_back', userId: passkey.userId }, 'a passkey may have been cloned')
    throw new ApiError('authentication_failed')
  }
}

/** The library has no use for the user handle. */
const withoutHandle = ({ clientDataJSON, authenticatorData, signature }: AuthenticationResponse['response']) => ({
  clientDataJSON,
  authenticatorData,
  signature,
})

/** What the library leaves to us (WebAuthn section 7.2 step 6): the user handle is the owner's, and so is the name that was typed or the session. */
function requireOwner(
  owner: { id: string; usernameKey: string },
  { response }: AuthenticationResponse,
  claims: Claims<'login'>,
) {
  const isNamed = claims.username !== undefined || claims.sub !== undefined
  const handled = response.userHandle ?? (isNamed ? owner.id : null)
  const named = claims.username === undefined || usernameKey(claims.username) === owner.usernameKey
  const same = claims.sub === undefined || claims.sub === owner.id
  if (handled !== owner.id || !named || !same) throw new ApiError('authentication_failed')
}
