import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { ApiError } from '@/lib/api/errors'
import type { AuthenticationOptions, authenticationOptionsInput, authenticationResponse } from '@/lib/api/schemas'
import { isPhone, isPlatform, isSecurityKey } from '@/lib/api/transports'
import { database } from '@/lib/database/client'
import { settings } from '@/lib/settings/settings'
import { isUserHandle, usernameKey } from '../account'
import { countRejection } from '../events/counted-rejections'
import { recordFailure } from '../events/record'
import { attributeRejections, countSignInOutcome } from '../events/rejections'
import { logSecurityEvent } from '../events/security-log'
import { canVerifyUser, splitTransports } from '../passkey'
import type { Parsed, RequestContext } from '../request'
import { findSession, type Session } from '../sessions/find'
import { type OpenedSession, openSession } from '../sessions/issue'
import { signInAsOwner } from '../sessions/sign-in-attempt'
import { type Claims, challengeSeconds } from '../tokens/claims'
import { issueToken } from '../tokens/tokens'
import { type Challenge, requireSameSession, requireVerified, verificationFailed, verifyResponse } from './challenge'
import { type AuthenticationInfo, findPasskey, recordPasskeyUse, type StoredPasskey } from './credential'

/**
 * Makes options for an authentication (WebAuthn section 5.1.9). Without a session, or for any account, they list no passkeys,
 * which would reveal which accounts exist; the challenge limits whose passkeys count, by session or `username`.
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

/**
 * Tells browsers where to look first (WebAuthn section 5.8.7): for the passkey that opened the session, then for the others.
 */
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

type AuthenticationResponse = Parsed<typeof authenticationResponse>['body']

/** Verifies a response to an authentication (WebAuthn section 7.2). */
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
  // verifyResponse() has not consumed it yet if the address is past its limit.
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

/** The user handle in a response. */
type ShownHandle = string | null | undefined

/**
 * Compares the user handle (WebAuthn section 7.2 step 6), which the library omits. Only a challenge for one account needs no
 * handle. Each passkey has its own, because an account's imported ones may differ.
 */
function requireExpectedUser(
  { user, userHandle }: StoredPasskey,
  shown: ShownHandle,
  { username, sub }: Claims<'login'>,
): void {
  const isLimited = username !== undefined || sub !== undefined
  const hasHandle = shown == null ? isLimited : userHandle === null ? isUserHandle(shown) : shown === userHandle
  const hasUsername = username === undefined || usernameKey(username) === user.usernameKey
  const hasId = sub === undefined || sub === user.id
  if (!hasHandle) throw verificationFailed("the user handle is missing, or not the passkey's")
  if (!hasUsername || !hasId) throw verificationFailed('the challenge is for another account')
}

/**
 * Stores an imported passkey's handle at its first authentication (trust on first use): from then on it works with this one
 * only.
 */
async function keepUserHandle({ id }: StoredPasskey, shown: ShownHandle): Promise<void> {
  if (shown == null) return
  const db = await database()
  // One conditional update decides, so that we only ever accept one handle.
  const where = { id, OR: [{ userHandle: null }, { userHandle: shown }] }
  const { count } = await db.passkey.updateMany({ where, data: { userHandle: shown } })
  if (count === 0) throw verificationFailed('another user handle was first')
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
    // Counts past the address's limit, too, since the signature is valid: a thief could hide the copy behind invented
    // responses.
    countRejection('counter_went_back', context, { account: passkey.user.id })
    throw new ApiError('passkey_copied', { cause: new Error('the signature counter did not increase') })
  }
  // WebAuthn section 6.1.3 fixes backup eligibility at creation, but providers change it when they begin to sync.
  if (passkey.deviceType !== info.credentialDeviceType) {
    logSecurityEvent('backup_eligibility_changed', context, { account: passkey.user.id })
  }
  if (passkey.userHandle === null) await keepUserHandle(passkey, input.response.userHandle)
}
