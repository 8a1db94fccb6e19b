import { verifyRegistrationResponse } from '@simplewebauthn/server'
import type { Passkey, registrationResponse, User } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { recordEvent } from '../audit/events'
import { publicUser } from '../model/accounts'
import { browserName } from '../model/browser-name'
import { distinctName } from '../model/passkey'
import type { Parsed, RequestContext } from '../model/request-context'
import { findSession, type Session } from '../sessions/find-session'
import type { OpenedSession } from '../sessions/issue-session-tokens'
import { openSession } from '../sessions/open-session'
import type { PrivilegedWriter } from '../sessions/write-as-session'
import { consumeAddressAttempt, consumeWrite } from '../throttling/attempts'
import { type Claims, rootOf } from '../tokens/claims'
import { withoutStatement } from './attestation'
import { algorithms, requireVerified, verificationFailed } from './ceremony'
import { asChallenged, type Challenge } from './challenge'
import { addPasskey, createPasskeyUser, type NewPasskey, newPasskey } from './new-passkey'
import { passkeyFault } from './public-key'
import { verifyResponse } from './verify-response'

/** `opened` is the session of a new account; null if the passkey was added to the session's. */
export interface RegistrationResult {
  user: User
  passkey: Passkey
  expiresAt: string
  opened: OpenedSession | null
}

/** WebAuthn section 7.1. Adds the passkey to the session's account, or creates one. */
export async function verifyRegistration({
  body: input,
  context,
}: Parsed<typeof registrationResponse>): Promise<RegistrationResult> {
  const { claims, account, info } = await verifyResponse(
    'register',
    input.response.clientDataJSON,
    context,
    (challenge) => verifyAttestation(challenge, input, context),
  )
  // Without an English word: the name is shown in every language.
  const browser = browserName(context.userAgent, ' · ')
  const passkey = newPasskey(info, input, { createdConditionally: claims.automatic === true, browser })
  return account ? addToAccount(account, passkey, context) : createAccount(claims, passkey, context)
}

interface ChallengedAccount extends Session {
  write: PrivilegedWriter
}

async function addToAccount(
  { user, claims, passkeys, write }: ChallengedAccount,
  passkey: NewPasskey,
  context: RequestContext,
) {
  const named = { ...passkey, name: distinctName(passkey.name, passkeys) }
  // Never refunded: even a failure has consumed a challenge, which leaves a row.
  await consumeWrite('account-writes', claims)
  const added = await addPasskey(write, { userId: user.id, rootId: rootOf(claims) }, named)
  await recordEvent(user.id, 'passkey_added', context, { session: claims })
  return { user: publicUser(user), passkey: added, expiresAt: claims.expiresAt, opened: null }
}

async function createAccount(
  { sub, username, invitation }: Claims<'register'>,
  passkey: NewPasskey,
  context: RequestContext,
) {
  await consumeAddressAttempt('address', context.address)
  const created = await createPasskeyUser({ id: sub, username: username as string, passkey, invitation })
  const { id: passkeyId, userVerified } = passkey
  const shown = { method: 'passkey', passkeyId, userVerified, isNew: true } as const
  const opened = await openSession(created.user, shown, context)
  return { user: opened.user, passkey: created.passkey, expiresAt: opened.session.expiresAt, opened }
}

async function verifyAttestation(
  { challenge, claims, consume }: Challenge<'register'>,
  input: Parsed<typeof registrationResponse>['body'],
  context: RequestContext,
) {
  const session = await findSession(context.session)
  // A challenge for a new account has a username and allows no session; any other needs its account's session.
  const isExpected = claims.username === undefined ? session?.user.id === claims.sub : session === null
  if (!isExpected) throw verificationFailed('the challenge is not for the account that is signed in')
  const { authenticatorAttachment: _, ...credential } = input
  const { passkeyOrigins, rpId, userVerification } = settings()
  const { registrationInfo: info } = await requireVerified(async () => {
    const attestationObject = withoutStatement(credential.response.attestationObject)
    return verifyRegistrationResponse({
      response: { ...credential, response: { ...credential.response, attestationObject, transports: [] } },
      expectedChallenge: challenge,
      expectedOrigin: passkeyOrigins,
      expectedRPID: rpId,
      // Conditional create shows neither presence nor verification (section 5.1.3): only its own challenge waives them.
      requireUserPresence: !claims.automatic,
      requireUserVerification: userVerification === 'required' && !claims.automatic,
      supportedAlgorithmIDs: algorithms,
    })
  })
  requireUsablePasskey(info.credential, input.id)
  const consumed = await consume()
  const account = session && { ...session, write: asChallenged(consumed, session) }
  return { claims, account, info }
}

/** @param shownId of the response, which the library does not compare (WebAuthn section 5.1) */
function requireUsablePasskey({ id, publicKey }: Pick<NewPasskey, 'id' | 'publicKey'>, shownId: string): void {
  const fault = id === shownId ? passkeyFault(id, publicKey) : "the id is not the attested credential's"
  if (fault !== null) throw verificationFailed(fault)
}
