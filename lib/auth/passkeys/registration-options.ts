import { generateRegistrationOptions } from '@simplewebauthn/server'
import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import { changeUsernameInput, type RegistrationOptions, type registrationOptionsInput } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { requireSignUp } from '../account/invitations'
import { usernameKey } from '../model/accounts'
import { requireFreeIdentifier } from '../model/identifiers'
import { parse } from '../model/parse'
import { tooManyPasskeys } from '../model/passkey'
import type { Parsed, RequestContext } from '../model/request-context'
import { newUserId } from '../model/user-handle'
import type { StepUp } from '../sessions/step-up'
import { consumeAddressAttempt, refundUnlessTaken } from '../throttling/attempts'
import { challengeSeconds } from '../tokens/claims'
import { issueToken } from '../tokens/tokens'
import { algorithms } from './ceremony'

type OptionsInput = Parsed<typeof registrationOptionsInput>['body']

/** WebAuthn section 5.1.8. `automatic` is for a conditional create, `promotion` for a passkey on this device. */
export async function createRegistrationOptions({
  body: input,
  stepUp,
  context,
}: Parsed<typeof registrationOptionsInput> & { stepUp: StepUp | null }) {
  const account = stepUp ? currentAccount(stepUp, input) : await newAccount(input, context)
  const seconds = Math.min(challengeSeconds, stepUp?.secondsLeft ?? challengeSeconds)
  const { token } = await issueToken('register', account.claims, seconds)
  const { rpId, appName, userVerification } = settings()
  return generateRegistrationOptions({
    rpName: appName,
    rpID: rpId,
    userName: account.username,
    userDisplayName: account.username,
    userID: new Uint8Array(Buffer.from(account.userHandle, 'base64url')),
    challenge: token,
    timeout: seconds * 1000,
    attestationType: 'none',
    excludeCredentials: stepUp?.session.passkeys.map(({ id, transports }) => ({ id, transports })) ?? [],
    authenticatorSelection: {
      residentKey: 'required',
      userVerification: input.automatic ? 'preferred' : userVerification,
    },
    supportedAlgorithmIDs: algorithms,
    ...(input.promotion && { preferredAuthenticatorType: 'localDevice' as const }),
  }) as Promise<RegistrationOptions>
}

/** The challenge authorizes adding a passkey, so issuing it requires the step-up. */
function currentAccount({ session, methods }: StepUp, { username, automatic }: OptionsInput) {
  const { user, claims } = session
  // Only a hint before the ceremony: on insert, addPasskey decides.
  if (session.passkeys.length >= limits.passkeys) throw tooManyPasskeys()
  // Only the password just entered authorizes a conditional create, since the user is not asked.
  if (automatic && !methods.includes('pwd')) throw new ApiError('reauthentication_required')
  if (username !== undefined && usernameKey(username) !== usernameKey(user.username)) {
    throw new ApiError('invalid_request', { fields: { username: { key: 'signed_in_as', username: user.username } } })
  }
  return {
    username: user.username,
    userHandle: user.userHandle,
    claims: { sub: user.id, sid: claims.jti, ...(automatic && { automatic }) },
  }
}

async function newAccount({ automatic, ...input }: OptionsInput, context: RequestContext) {
  if (automatic) throw new ApiError('not_signed_in')
  const { username } = parse(changeUsernameInput, input)
  const invitation = await requireSignUp(input.invitation, context)
  // Counted first: responses past the limit must not distinguish taken usernames from free ones.
  const attempt = await consumeAddressAttempt('address', context.address)
  await refundUnlessTaken(attempt, () => requireFreeIdentifier(usernameKey(username)))
  await attempt.refund()
  const id = newUserId()
  return { username, userHandle: id, claims: { sub: id, username, ...(invitation && { invitation }) } }
}
