import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '@/lib/api/errors'
import { administrators } from '@/lib/api/names'
import { emailAddress, type recoverInput, type recoveryPasskeyInput, type recoveryTokenInput } from '@/lib/api/schemas'
import { database, transaction } from '@/lib/database/client'
import { isConflict, isMissing } from '@/lib/database/errors'
import { sql } from '@/lib/database/sql'
import { deliverLetters, enqueueLetter } from '@/lib/delivery/letters'
import { singleton } from '@/lib/process/singleton'
import { afterResponse } from '@/lib/process/work'
import { settings } from '@/lib/settings/settings'
import { emailKey, lockUser, type UserWithEpoch, userHandleOf, usernameKey } from '../account'
import { letterAbout, ownersLetter, type Recipient } from '../events/letters'
import { recordEvent } from '../events/record'
import { describePasskey } from '../passkey'
import {
  type NewPasskey,
  type RegistrationResult,
  recoveryRegistrationOptions,
  verifyRecoveryRegistration,
} from '../passkeys/registration'
import { hashPassword } from '../passwords/password-hash'
import { type recoveryPasswordRules, requireUnguessable } from '../passwords/password-rules'
import { neighbourhoodOf, type Parsed, type RequestContext } from '../request'
import { endOfRecoveries, recordStop } from '../sessions/end'
import type { Session } from '../sessions/find'
import { type OpenedSession, openSession } from '../sessions/issue'
import { deliverLogouts, enqueueAccountLogouts } from '../sessions/reached-apps'
import { signInAsOwner } from '../sessions/sign-in-attempt'
import { asSession, queuedByAccount } from '../sessions/write'
import { limitFailures, tryConsume } from '../throttling/attempts'
import { dayMilliseconds, hourMilliseconds, isoOfMilliseconds } from '../time'
import { digestOf, readDevice } from '../tokens/tokens'

/*
 * Recovery by mail. A letter alone never signs in: whoever reads it may have a stolen or mistyped address. It starts a wait that
 * the owner sees in every session and in a letter of its own, and can stop.
 */

/** NIST SP 800-63B-4 section 4.2.1.2 lets a code that goes by mail live this long. */
const letterMilliseconds = dayMilliseconds
/** How long the person can set a new credential once the wait is over. */
const openMilliseconds = 72 * hourMilliseconds
/**
 * How long an address must have been proved before it recovers its account. The owner has these days to notice a thief who puts
 * in an address of their own.
 */
const provedMilliseconds = 7 * dayMilliseconds

const waitMilliseconds = () => settings().mailRecovery ?? Number.POSITIVE_INFINITY

const newToken = () => randomBytes(32).toString('base64url')

/**
 * Accounts that a letter may recover. An address that an operator, a key or an import has set recovers nothing, and the
 * administration opens by passkeys alone.
 */
const isRecoverable = () => ({
  email: { not: null },
  emailProvedAt: { lte: BigInt(Date.now() - provedMilliseconds) },
  disabled: false,
  memberships: { none: { groupName: administrators } },
})

/**
 * Sends the letter some time after the response, so that neither the answer nor its time, nor that of the request which follows at
 * once, tells whether there is an account, whether it has an address, or whether a limit keeps it from getting a letter.
 *
 * @returns what the browser keeps: a new secret, and those before it, so that asking again changes nothing that waits
 */
export function askForRecovery({ body: { username }, context }: Parsed<typeof recoverInput>) {
  const secret = newToken()
  afterResponse(() => atRandomTime(() => sendLetter(username, digestOf(secret), context)))
  const kept = [secret, ...secretsOf(context)].slice(0, maxRemembered).join('.')
  return { kept, seconds: (letterMilliseconds + waitMilliseconds() + openMilliseconds) / 1000 }
}

const secretsOf = ({ recovery }: RequestContext) => recovery?.split('.').filter((text) => text.length === 43) ?? []

/**
 * The most recoveries that a browser remembers. Limits let far fewer of them get a letter, so a new request never displaces one
 * that waits.
 */
const maxRemembered = 40

/** Long beside the few milliseconds for which a letter keeps the next request waiting. */
const maxDelayMilliseconds = 2_000

/** Runs what has been asked for by then, in its order, at a time that nobody can predict. */
function atRandomTime(work: () => Promise<void>): Promise<void> {
  const own = singleton('recovery-letters', () => ({ begun: null as Promise<void> | null }))
  own.begun ??= pause(randomInt(maxDelayMilliseconds)).then(() => {
    own.begun = null
  })
  return own.begun.then(work)
}

async function sendLetter(name: string, browser: string, context: RequestContext): Promise<void> {
  const db = await database()
  const { data: address } = emailAddress.safeParse(name)
  const key = address === undefined ? usernameKey(name) : emailKey(address)
  const user = await db.user.findFirst({
    where: { ...isRecoverable(), identifiers: { some: { key, OR: [{ username: true }, { email: true }] } } },
    select: recipientColumns,
  })
  if (!user || !(await mayGetLetter(user.id, context))) return
  const token = newToken()
  const expiresAt = Date.now() + letterMilliseconds
  const about = { path: `/recover#${token}`, until: expiresAt }
  const letter = letterAbout(user as Recipient, 'recovery', { origin: context, method: null }, about)
  await transaction(db, {
    row: db.recovery.create({
      data: { digest: digestOf(token), userId: user.id, browser, expiresAt: BigInt(expiresAt) },
      select: { digest: true },
    }),
    letter: enqueueLetter(db, letter, { account: user.id, expiresAt }),
  })
  deliverLetters()
}

const recipientColumns = { id: true, username: true, email: true, language: true } as const

/**
 * Counts a letter. Strangers, who share their network's part of what an account gets, use up nothing of the browsers that it
 * knows.
 */
async function mayGetLetter(id: string, context: RequestContext): Promise<boolean> {
  const device = await readDevice(id, context)
  if (device) return tryConsume('recovery-letters-browser', device.jti)
  const network = `${id}/${neighbourhoodOf(context.address)}`
  return (
    // Over all accounts, so that a list of usernames makes no flood of letters, behind which those to others would wait.
    (await tryConsume('letters-network', context.address)) &&
    (await tryConsume('recovery-letters-network', network)) &&
    tryConsume('recovery-letters', id)
  )
}

type TokenRequest = Parsed<typeof recoveryTokenInput>

/** @throws ApiError authentication_failed for a token that is unknown, used, stopped or expired */
async function findRecovery(token: string, context: RequestContext) {
  const digest = digestOf(token)
  const find = async () => {
    const db = await database()
    const found = await db.recovery.findFirst({
      where: { digest, expiresAt: { gt: BigInt(Date.now()) }, user: isRecoverable() },
      select: {
        browser: true,
        readyAt: true,
        user: { select: { ...recipientColumns, usernameKey: true, displayName: true, userHandle: true } },
      },
    })
    if (!found) throw new ApiError('authentication_failed')
    return found
  }
  const { browser, readyAt, user } = await limitFailures('recovery', context.address, find, () => undefined)
  const isAsking = secretsOf(context).map(digestOf).includes(browser)
  return { digest, readyAt: readyAt === null ? null : Number(readyAt), user, isAsking }
}

/** Only the browser that asked goes on: whoever reads the letter elsewhere may be a stranger. @throws ApiError not_allowed */
async function findInItsBrowser(token: string, context: RequestContext) {
  const found = await findRecovery(token, context)
  if (!found.isAsking) throw new ApiError('not_allowed')
  return found
}

/** @throws ApiError too_early before the end of the wait */
async function findReady(token: string, context: RequestContext) {
  const found = await findInItsBrowser(token, context)
  const milliseconds = (found.readyAt ?? Date.now() + waitMilliseconds()) - Date.now()
  if (milliseconds > 0) throw new ApiError('too_early', { retryAfter: Math.ceil(milliseconds / 1000) })
  return found
}

export async function showRecovery({ body: { token }, context }: TokenRequest) {
  const { readyAt, isAsking } = await findRecovery(token, context)
  const { passwords } = settings()
  if (!isAsking) return { state: 'other_browser' as const, at: null, passwords }
  if (readyAt === null) return { state: 'confirm' as const, at: null, passwords }
  const state = readyAt > Date.now() ? ('waiting' as const) : ('ready' as const)
  return { state, at: isoOfMilliseconds(readyAt), passwords }
}

/** Starts the wait, and tells the owner in the same transaction: no crash may silence the alarm. */
export async function confirmRecovery({ body: { token }, context }: TokenRequest): Promise<{ at: string }> {
  const { digest, readyAt, user } = await findInItsBrowser(token, context)
  if (readyAt !== null) return { at: isoOfMilliseconds(readyAt) }
  const now = Date.now()
  const until = now + waitMilliseconds()
  const stop = newToken()
  const about = { path: `/recover/stop#${stop}`, until }
  const letter = await ownersLetter(
    user.id,
    letterAbout(user as Recipient, 'recovery_asked', { origin: context, method: null }, about),
  )
  const db = await database()
  const isUnpressed = { digest, readyAt: null, expiresAt: { gt: BigInt(now) }, user: isRecoverable() }
  const data = { readyAt: BigInt(until), stopDigest: digestOf(stop), expiresAt: BigInt(until + openMilliseconds) }
  const starting = transaction(db, {
    // A press and a stop at the same moment wait for each other here.
    lock: lockUser(db, user.id),
    started: db.recovery.update({ where: isUnpressed, data, select: { digest: true } }),
    letter: letter(db),
  })
  try {
    await starting
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    // Pressed twice at once, or stopped meanwhile.
    const { readyAt: started } = await findInItsBrowser(token, context)
    if (started === null) throw new ApiError('authentication_failed', { cause })
    return { at: isoOfMilliseconds(started) }
  }
  deliverLetters()
  await recordEvent(user.id, 'recovery_asked', context)
  return { at: isoOfMilliseconds(until) }
}

export async function createRecoveryOptions({ body: { token }, context }: TokenRequest) {
  const { digest, user } = await findReady(token, context)
  return recoveryRegistrationOptions({ ...user, userHandle: userHandleOf(user) }, digest)
}

export async function recoverWithPasskey({
  body: { token, ...response },
  context,
}: Parsed<typeof recoveryPasskeyInput>): Promise<RegistrationResult> {
  const found = await findReady(token, context)
  const passkey = await verifyRecoveryRegistration(response, found.digest, context)
  const user = await replaceWaysIn(found, { passkey }, context)
  const opened = await open({ ...user, usernameKey: found.user.usernameKey }, { passkey }, context)
  const shown = describePasskey({ ...passkey, createdAt: new Date(), lastUsedAt: null })
  return { user: opened.user, passkey: shown, expiresAt: opened.session.expiresAt, opened }
}

export async function recoverWithPassword({
  body: { token, password },
  context,
}: Parsed<typeof recoveryPasswordRules>): Promise<OpenedSession> {
  const found = await findReady(token, context)
  const { username, usernameKey: account } = found.user
  await requireUnguessable(password, username)
  const afterWaiting = () => findReady(token, context)
  const passwordHash = await hashPassword(password, { account, context, isKnown: true, afterWaiting })
  const user = await replaceWaysIn(found, { passwordHash }, context)
  return open({ ...user, usernameKey: account }, { passwordHash }, context)
}

type NewWayIn = { passkey: NewPasskey; passwordHash?: never } | { passwordHash: string; passkey?: never }

/**
 * Ends all that opened the account before, and gives it one new way in: somebody else may have added or know any of the others.
 *
 * @throws ApiError authentication_failed for the loser of two uses at once, or of a use and a stop; passkey_taken
 */
async function replaceWaysIn(
  { digest, user }: Pick<Awaited<ReturnType<typeof findReady>>, 'digest' | 'user'>,
  { passkey, passwordHash }: NewWayIn,
  context: RequestContext,
): Promise<UserWithEpoch> {
  const db = await database()
  const { id: userId } = user
  const now = BigInt(Date.now())
  const owned = { where: { userId } }
  const isReady = { digest, readyAt: { lte: now }, expiresAt: { gt: now }, user: isRecoverable() }
  const data = {
    passwordHash: passwordHash ?? null,
    passwordSetAt: passwordHash === undefined ? null : new Date(),
    recoveryCodesMadeAt: null,
    sessionEpoch: { increment: 1 },
  }
  const isAsked = { userId, type: 'recovery_asked', dismissed: false }
  const replacing = queuedByAccount(userId, () =>
    transaction(db, {
      lock: lockUser(db, userId),
      // Delete and catch: the row admits one of several at once, and none once somebody has stopped it.
      used: db.recovery.delete({ where: isReady, select: { digest: true } }),
      others: db.recovery.deleteMany(owned),
      ...enqueueAccountLogouts(db, userId),
      passkeys: db.passkey.deleteMany(owned),
      recoveryCodes: db.recoveryCode.deleteMany(owned),
      emailCode: db.emailCode.deleteMany(owned),
      grants: db.grant.deleteMany(owned),
      sessions: db.session.deleteMany(owned),
      user: db.user.update({ where: { id: userId }, data }),
      passkey: passkey && db.passkey.create({ data: { ...passkey, userId, userHandle: userHandleOf(user) } }),
      // Whoever recovers an account knows that they have asked.
      notices: db.event.updateMany({ where: isAsked, data: { dismissed: true } }),
    }),
  )
  const results = await replacing.catch((cause: unknown) => {
    if (isConflict(cause, 'Passkey')) throw new ApiError('passkey_taken', { cause })
    throw isMissing(cause) ? new ApiError('authentication_failed', { cause }) : cause
  })
  deliverLogouts(results.logouts)
  await recordEvent(userId, 'recovered', context, { method: passkey ? 'passkey' : 'pwd' })
  return results.user
}

/** Signs in with the new way in. */
function open(
  user: UserWithEpoch & { usernameKey: string },
  { passkey, passwordHash }: NewWayIn,
  context: RequestContext,
): Promise<OpenedSession> {
  const shown = passkey
    ? ({ method: 'passkey', passkeyId: passkey.id, userVerified: passkey.userVerified } as const)
    : ({ method: 'pwd', passwordHash } as const)
  return signInAsOwner({ user, credential: `recovered/${user.id}`, context }, () =>
    openSession(user, shown, context, 'recovery'),
  )
}

/**
 * Stops a recovery by the token in the letter that announces it; needs no session. The page sends the token on a press, so that
 * a mail scanner that opens links stops nothing.
 */
export async function stopRecovery({ body: { token }, context }: TokenRequest): Promise<void> {
  const stop = async () => {
    const db = await database()
    const where = { stopDigest: digestOf(token), expiresAt: { gt: BigInt(Date.now()) } }
    const found = await db.recovery.findFirst({ where, select: { userId: true } })
    if (!found) throw new ApiError('authentication_failed')
    const { userId } = found
    const { stopped } = await transaction(db, {
      lock: lockUser(db, userId),
      ...endOfRecoveries(db, sql`${userId}`),
    })
    // Used or stopped meanwhile.
    if (stopped === 0) throw new ApiError('authentication_failed')
    await recordStop(stopped, userId, context)
  }
  await limitFailures('recovery', context.address, stop, () => undefined)
}

export async function stopOwnRecovery({ session, context }: { session: Session; context: RequestContext }) {
  const { user, claims } = session
  const { stopped } = await asSession(claims)((db) => endOfRecoveries(db, sql`${user.id}`))
  await recordStop(stopped, user.id, context)
}
