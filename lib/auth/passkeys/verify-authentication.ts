import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { ApiError } from '@/lib/api/errors'
import type { authenticationResponse } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { countRejection } from '../audit/counted-rejections'
import { recordFailure } from '../audit/events'
import { attributeRejections } from '../audit/log-rejection'
import { logSecurityEvent } from '../audit/security-log'
import { countSignInOutcome } from '../audit/sign-in-metric'
import { canVerifyUser, splitTransports } from '../model/passkey'
import type { Parsed, RequestContext } from '../model/request-context'
import type { OpenedSession } from '../sessions/issue-session-tokens'
import { openSession } from '../sessions/open-session'
import { signInAsOwner } from '../throttling/sign-in-attempt'
import { requireVerified } from './ceremony'
import { type Challenge, requireSameSession } from './challenge'
import { keepUserHandle, requireExpectedUser } from './expected-user'
import { type AuthenticationInfo, findPasskey, recordPasskeyUse, type StoredPasskey } from './stored-passkey'
import { verifyResponse } from './verify-response'

type AuthenticationResponse = Parsed<typeof authenticationResponse>['body']

/** WebAuthn section 7.2 */
export async function verifyAuthentication({
  body: input,
  context,
}: Parsed<typeof authenticationResponse>): Promise<OpenedSession> {
  return countSignInOutcome('passkey', context, async () => {
    let passkey: StoredPasskey | null = null
    const verify = async (challenge: Challenge<'login'>) => {
      await requireSameSession(challenge.claims, context)
      passkey = await findPasskey(input.id)
      if (!passkey) throw new ApiError('unknown_passkey')
      return verifyAssertion(challenge, passkey, input, context)
    }
    const recordOwnersFailure = () => passkey && recordFailure(passkey.user.id, 'signin_failed', context, 'passkey')
    const { user, ...shown } = await verifyResponse(
      'login',
      input.response.clientDataJSON,
      context,
      verify,
      recordOwnersFailure,
    )
    const credential = `passkey/${input.id}`
    return signInAsOwner({ user, credential, context }, () =>
      openSession(user, { method: 'passkey', passkeyId: input.id, ...shown }, context),
    )
  })
}

async function verifyAssertion(
  challenge: Challenge<'login'>,
  passkey: StoredPasskey,
  input: AuthenticationResponse,
  context: RequestContext,
) {
  const { user } = passkey
  attributeRejections(context, { account: user.id, method: 'passkey' })
  const info = await requireValidAssertion(input, challenge, passkey)
  // Of an address past its limit, it is not consumed yet.
  await challenge.consume()
  await recordUse(input, info, passkey, context)
  const { userVerified } = info
  return { user, userVerified, givesStepUp: userVerified || !canVerifyUser(passkey) }
}

async function requireValidAssertion(
  input: AuthenticationResponse,
  { challenge, claims }: Challenge<'login'>,
  passkey: StoredPasskey,
) {
  requireExpectedUser(passkey, input.response.userHandle, claims)
  const { passkeyOrigins, rpId, userVerification } = settings()
  const { clientDataJSON, authenticatorData, signature } = input.response
  const { authenticationInfo } = await requireVerified(() =>
    verifyAuthenticationResponse({
      response: { ...input, response: { clientDataJSON, authenticatorData, signature } },
      expectedChallenge: challenge,
      expectedOrigin: passkeyOrigins,
      expectedRPID: rpId,
      requireUserVerification: userVerification === 'required',
      credential: {
        id: passkey.id,
        publicKey: passkey.publicKey,
        // 0 skips the library's check: recordPasskeyUse compares counters, atomically.
        counter: 0,
        transports: splitTransports(passkey.transports),
      },
    }),
  )
  return authenticationInfo
}

async function recordUse(
  input: AuthenticationResponse,
  info: AuthenticationInfo,
  passkey: StoredPasskey,
  context: RequestContext,
): Promise<void> {
  const outcome = await recordPasskeyUse(passkey.id, info)
  if (outcome === 'behind') logSecurityEvent('synced_counter_went_back', context, { account: passkey.user.id })
  if (outcome === 'refused') {
    // Removed meanwhile. Its account's activity has the failure: somebody still has the passkey.
    if (!(await findPasskey(passkey.id))) throw new ApiError('unknown_passkey')
    // Also past the address's limit, or a thief would hide the copy behind invented responses: this one's signature is valid.
    countRejection('counter_went_back', context, { account: passkey.user.id })
    throw new ApiError('passkey_copied', { cause: new Error('the signature counter did not increase') })
  }
  // WebAuthn section 6.1.3 fixes backup eligibility at creation, but providers change it when they begin to sync.
  if (passkey.deviceType !== info.credentialDeviceType) {
    logSecurityEvent('backup_eligibility_changed', context, { account: passkey.user.id })
  }
  if (passkey.userHandle === null) await keepUserHandle(passkey, input.response.userHandle)
}
