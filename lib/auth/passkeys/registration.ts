import {
  generateRegistrationOptions,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'
import type * as z from 'zod'
import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import {
  changeUsernameInput,
  type Passkey,
  type RegistrationOptions,
  type registrationOptionsInput,
  type registrationResponse,
  type User,
} from '@/lib/api/schemas'
import { isSecurityKey } from '@/lib/api/transports'
import { database } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { sql, statement } from '@/lib/database/sql'
import { settings } from '@/lib/settings/settings'
import { newUserId, publicUser, usernameKey } from '../account'
import { requireFreeIdentifier } from '../accounts/identifiers'
import { admitsAdministrator, type Invitation, insertAccount, requireSignUp } from '../accounts/sign-up'
import { writeToAdministrators } from '../events/letters'
import { logChange } from '../events/operators-log'
import { recordEvent } from '../events/record'
import { defaultPasskeyName, describePasskey, plausibleTransports } from '../passkey'
import { browserName, type Parsed, parse, type RequestContext } from '../request'
import { endOfRecoveries, recordStop } from '../sessions/end'
import { findSession, type Session } from '../sessions/find'
import { type OpenedSession, openSession } from '../sessions/issue'
import type { StepUp } from '../sessions/step-up'
import type { PrivilegedWriter } from '../sessions/write'
import { consumeAddressAttempt, consumeWrite, refundUnlessTaken } from '../throttling/attempts'
import { type Claims, challengeSeconds, rootOf } from '../tokens/claims'
import { issueToken } from '../tokens/tokens'
import {
  algorithms,
  asChallenged,
  type Challenge,
  requireVerified,
  verificationFailed,
  verifyResponse,
} from './challenge'
import { passkeyFault } from './credential'

type OptionsInput = Parsed<typeof registrationOptionsInput>['body']

/**
 * Makes options for a registration (WebAuthn section 5.1.8): `automatic` for a conditional create, `promotion` for a passkey on
 * this device.
 */
export async function createRegistrationOptions({
  body: input,
  stepUp,
  context,
}: Parsed<typeof registrationOptionsInput> & { stepUp: StepUp | null }) {
  stepUp?.requireForWaysIn()
  const account = stepUp ? signedInAccount(stepUp, input) : await newAccount(input, context)
  const seconds = Math.min(challengeSeconds, stepUp?.secondsLeft ?? challengeSeconds)
  return optionsFor(account, { ...input, seconds, passkeys: stepUp?.session.passkeys ?? [] })
}

interface Registrant {
  username: string
  displayName: string | null
  userHandle: string
}

/**
 * Makes the options of the passkey that ends a recovery by mail. Excludes none of the account's passkeys, since the recovery
 * removes them.
 *
 * @param recovery its digest
 */
export const recoveryRegistrationOptions = (
  { id, ...registrant }: Registrant & { id: string },
  recovery: string,
): Promise<RegistrationOptions> =>
  optionsFor(
    { ...registrant, mustVerify: false, claims: { sub: id, recovery } },
    { seconds: challengeSeconds, passkeys: [], automatic: false, promotion: false },
  )

interface Challenging extends Pick<OptionsInput, 'automatic' | 'promotion'> {
  seconds: number
  passkeys: Pick<Passkey, 'id' | 'transports'>[]
}

async function optionsFor(
  account: Registrant & { mustVerify: boolean; claims: Parameters<typeof issueToken<'register'>>[1] },
  { seconds, passkeys, automatic, promotion }: Challenging,
): Promise<RegistrationOptions> {
  const { token } = await issueToken('register', account.claims, seconds)
  const { rpId, appName, userVerification } = settings()
  return generateRegistrationOptions({
    rpName: appName,
    rpID: rpId,
    userName: account.username,
    userDisplayName: account.displayName ?? account.username,
    userID: new Uint8Array(Buffer.from(account.userHandle, 'base64url')),
    challenge: token,
    timeout: seconds * 1000,
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: {
      residentKey: 'required',
      userVerification: automatic ? 'preferred' : account.mustVerify ? 'required' : userVerification,
    },
    supportedAlgorithmIDs: algorithms,
    ...(promotion && { preferredAuthenticatorType: 'localDevice' as const }),
  }) as Promise<RegistrationOptions>
}

/** The challenge authorizes adding a passkey, so issuing it requires the step-up. */
function signedInAccount({ session, methods }: StepUp, { username, automatic, signIn }: OptionsInput) {
  const { user, claims } = session
  // Saves the person a ceremony in vain; addPasskey decides when it inserts.
  if (session.passkeys.length >= limits.passkeys) throw tooManyPasskeys()
  // Requires a password just entered for a conditional create, which does not ask the person.
  if (automatic && !methods.includes('pwd')) throw new ApiError('reauthentication_required')
  if (username !== undefined && usernameKey(username) !== usernameKey(user.username)) {
    throw new ApiError('invalid_request', { fields: { username: { key: 'signed_in_as', username: user.username } } })
  }
  return {
    username: user.username,
    displayName: user.displayName,
    userHandle: user.userHandle,
    mustVerify: false,
    claims: {
      sub: user.id,
      sid: claims.jti,
      ...(automatic && { automatic }),
      // A conditional create shows neither presence nor verification.
      ...(signIn && !automatic && { signs_in: true as const }),
    },
  }
}

async function newAccount({ automatic, ...input }: OptionsInput, context: RequestContext) {
  if (automatic) throw new ApiError('not_signed_in')
  const { username } = parse(changeUsernameInput, input)
  const invitation = await requireSignUp(input.invitation, context)
  // Counts first: responses past the limit must not distinguish taken usernames from free ones.
  const attempt = await consumeAddressAttempt('address', context.address)
  await refundUnlessTaken(attempt, () => requireFreeIdentifier(usernameKey(username)))
  await attempt.refund()
  const id = newUserId()
  return {
    username,
    displayName: null,
    userHandle: id,
    mustVerify: admitsAdministrator(invitation),
    claims: { sub: id, username, ...(invitation && { invitation }) },
  }
}

/**
 * An attestation object of format `none` (WebAuthn section 6.5.4) with the authenticator data of the one given. The options
 * ask for no statement, and verifying one all the same would fetch the revocation lists that its sender's own
 * certificates name: any URL, of any size.
 *
 * @throws on malformed CBOR
 */
function withoutStatement(attestationObject: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const object = new Map<string, string | typeof authData | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(object))
}

/** `opened` is the session of a new account, or of a sign-in; null if the passkey only joined the session's account. */
export interface RegistrationResult {
  user: User
  passkey: Passkey
  expiresAt: string
  opened: OpenedSession | null
}

/** Verifies a response to a registration (WebAuthn section 7.1). Adds the passkey to the session's account, or creates one. */
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
  const passkey = newPasskey(info, input, { createdConditionally: claims.automatic === true, context })
  return account ? addToAccount(account, passkey, claims, context) : createAccount(claims, passkey, context)
}

/** Verifies a response to `recoveryRegistrationOptions`. @param recovery the digest that they were made for */
export async function verifyRecoveryRegistration(
  input: Parsed<typeof registrationResponse>['body'],
  recovery: string,
  context: RequestContext,
): Promise<NewPasskey> {
  const verify = async (challenge: Challenge<'register'>) => {
    if (challenge.claims.recovery !== recovery)
      throw verificationFailed('the challenge is for another recovery, or none')
    const info = await requireAttested(challenge, input)
    await challenge.consume()
    return info
  }
  const info = await verifyResponse('register', input.response.clientDataJSON, context, verify)
  return newPasskey(info, input, { createdConditionally: false, context })
}

interface ChallengedAccount extends Session {
  write: PrivilegedWriter
}

async function addToAccount(
  { user, claims, passkeys, write }: ChallengedAccount,
  passkey: NewPasskey,
  { signs_in: signsIn }: Claims<'register'>,
  context: RequestContext,
) {
  const named = { ...passkey, name: distinctName(passkey.name, passkeys) }
  // Refunds nothing, because even a failure has consumed a challenge, which leaves a row.
  await consumeWrite('account-writes', claims)
  const { added, stopped } = await addPasskey(write, { userId: user.id, rootId: rootOf(claims) }, named)
  await recordEvent(user.id, 'passkey_added', context, { session: claims })
  await recordStop(stopped, user.id, context, { session: claims })
  const result = { user: publicUser(user), passkey: added, expiresAt: claims.expiresAt }
  if (!signsIn) return { ...result, opened: null }
  // The device has just made the key and verified its user: asking once more would show nothing new.
  const { id: passkeyId, userVerified } = named
  const shown = { method: 'passkey', passkeyId, userVerified, givesStepUp: userVerified } as const
  const opened = await openSession({ ...user, sessionEpoch: claims.epoch }, shown, context)
  return { ...result, expiresAt: opened.session.expiresAt, opened }
}

async function createAccount(
  { sub, username, invitation }: Claims<'register'>,
  passkey: NewPasskey,
  context: RequestContext,
) {
  await consumeAddressAttempt('address', context.address)
  const created = await createPasskeyUser({ id: sub, username: username as string, passkey, invitation })
  const { id: passkeyId, userVerified } = passkey
  const shown = { method: 'passkey', passkeyId, userVerified } as const
  const opened = await openSession(created.user, shown, context, 'sign-up')
  if (admitsAdministrator(invitation)) {
    await logChange({ kind: 'administrator', by: sub, context }, 'administrator_added', { account: sub })
    await writeToAdministrators('administrator_added', context, { account: sub })
  }
  return { user: opened.user, passkey: created.passkey, expiresAt: opened.session.expiresAt, opened }
}

async function verifyAttestation(
  challenge: Challenge<'register'>,
  input: Parsed<typeof registrationResponse>['body'],
  context: RequestContext,
) {
  const { claims } = challenge
  const session = await findSession(context.session)
  // A challenge for a new account has a username and allows no session; any other needs its account's session.
  const isExpected = claims.username === undefined ? session?.user.id === claims.sub : session === null
  if (!isExpected || claims.recovery !== undefined)
    throw verificationFailed('the challenge is not for the account that is signed in')
  const info = await requireAttested(challenge, input)
  const consumed = await challenge.consume()
  const account = session && { ...session, write: asChallenged(consumed, session) }
  return { claims, account, info }
}

async function requireAttested(
  { challenge, claims }: Challenge<'register'>,
  input: Parsed<typeof registrationResponse>['body'],
): Promise<RegistrationInfo> {
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
      requireUserVerification:
        admitsAdministrator(claims.invitation) || (userVerification === 'required' && !claims.automatic),
      supportedAlgorithmIDs: algorithms,
    })
  })
  requireUsablePasskey(info.credential, input.id)
  return info
}

/** @param shownId of the response, which the library does not compare (WebAuthn section 5.1) */
function requireUsablePasskey({ id, publicKey }: Pick<NewPasskey, 'id' | 'publicKey'>, shownId: string): void {
  const fault = id === shownId ? passkeyFault(id, publicKey) : "the id is not the attested credential's"
  if (fault !== null) throw verificationFailed(fault)
}

type RegistrationResponse = Pick<z.infer<typeof registrationResponse>, 'response' | 'authenticatorAttachment'>
type RegistrationInfo = NonNullable<VerifiedRegistrationResponse['registrationInfo']>
export type NewPasskey = ReturnType<typeof newPasskey>

function newPasskey(
  { credential, aaguid, ...info }: RegistrationInfo,
  { response: { transports }, authenticatorAttachment }: RegistrationResponse,
  { createdConditionally, context }: { createdConditionally: boolean; context: RequestContext },
) {
  // Joins the names by a sign, not by an English word: pages show the name in every language.
  const browser = browserName(context.userAgent, ' · ')
  const platformBrowser = authenticatorAttachment === 'cross-platform' ? null : browser
  return {
    id: credential.id,
    name: defaultPasskeyName(aaguid, {
      isSecurityKey: isSecurityKey(transports) && !info.credentialBackedUp,
      browser: platformBrowser,
    }),
    publicKey: credential.publicKey,
    counter: BigInt(credential.counter),
    transports: plausibleTransports(transports),
    deviceType: info.credentialDeviceType,
    backedUp: info.credentialBackedUp,
    aaguid,
    userVerified: info.userVerified,
    createdConditionally,
  }
}

/** Stops a recovery by mail: whoever can add a passkey needs none. @param rootId of the session that adds it */
export async function addPasskey(
  write: PrivilegedWriter,
  { userId, rootId }: { userId: string; rootId: string },
  passkey: NewPasskey,
): Promise<{ added: Passkey; stopped: number }> {
  const row = { ...passkey, createdAt: new Date(), lastUsedAt: null }
  // Locks the account, so that concurrent inserts on PostgreSQL count each other.
  const isAdded = sql`
    EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = ${row.id} AND p."userId" = ${userId})`
  const { inserted, stopped } = await write((db) => ({
    inserted: statement(db)`
      INSERT INTO "Passkey" ("id", "userId", "name", "publicKey", "counter", "transports", "deviceType", "backedUp",
        "aaguid", "userVerified", "createdConditionally", "createdAt", "rootId", "userHandle")
      SELECT ${row.id}, u."id", ${row.name}, ${row.publicKey}, ${row.counter}, ${row.transports}, ${row.deviceType},
        ${row.backedUp}, ${row.aaguid}, ${row.userVerified}, ${row.createdConditionally}, ${row.createdAt}, ${rootId},
        COALESCE(u."userHandle", u."id")
      FROM "User" u
      WHERE u."id" = ${userId}
        AND (SELECT COUNT(*) FROM "Passkey" p WHERE p."userId" = u."id") < ${limits.passkeys}
      ON CONFLICT DO NOTHING`,
    ...endOfRecoveries(db, sql`${userId}`, isAdded),
  }))
  if (inserted === 1) return { added: describePasskey(row), stopped }
  const taken = await (await database()).passkey.findUnique({ where: { id: row.id }, select: { id: true } })
  throw taken ? new ApiError('passkey_taken') : tooManyPasskeys()
}

const tooManyPasskeys = () =>
  new ApiError('invalid_request', { fields: { passkeys: { key: 'too_many_passkeys', max: limits.passkeys } } })

/** Makes a name distinct: the second passkey of "Apple Passwords" is "Apple Passwords 2". */
function distinctName(name: string, taken: Pick<Passkey, 'name'>[]): string {
  const names = new Set(taken.map((passkey) => passkey.name))
  let distinct = name
  for (let count = 2; names.has(distinct); count++) distinct = `${name} ${count}`
  return distinct
}

interface NewPasskeyUser {
  id: string
  username: string
  passkey: NewPasskey
  invitation?: Invitation | undefined
}

export async function createPasskeyUser({ id, username, passkey, invitation }: NewPasskeyUser) {
  const row = { ...passkey, createdAt: new Date(), lastUsedAt: null }
  const passkeys = { create: { ...row, userHandle: id } }
  const data = { id, username, usernameKey: usernameKey(username), passkeys }
  const user = await insertAccount(invitation ?? null, data).catch((cause: unknown) => {
    if (!isConflict(cause)) throw cause
    throw new ApiError(isConflict(cause, 'Passkey') ? 'passkey_taken' : 'username_taken', { cause })
  })
  return { user, passkey: describePasskey(row) }
}
