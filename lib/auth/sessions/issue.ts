import { ApiError } from '@/lib/api/errors'
import type { Method, User } from '@/lib/api/schemas'
import { connection, type Database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import { type Fragment, flushed, list, readRows, type SqlRow, sql, statement, unflushed } from '@/lib/database/sql'
import { recorder } from '@/lib/process/recorder'
import { bestEffort } from '@/lib/process/work'
import { settings } from '@/lib/settings/settings'
import { isDisabled, lockUser, publicUser, type UserRow, type UserWithEpoch } from '../account'
import { recordEvent } from '../events/record'
import { browserName, type RequestContext } from '../request'
import { isoOfMilliseconds, nowInSeconds, startOfDay } from '../time'
import { type AccessCookie, issueAccessCookie } from '../tokens/access-tokens'
import { type Claims, deviceSeconds, rootOf, stepUpSeconds } from '../tokens/claims'
import { consumption, consumptionOfAll, issueToken, newTokenId, readDevice, readToken } from '../tokens/tokens'
import { endOfRecoveries, recordStop } from './end'
import { continuedSession, isInserted, stillStands } from './find'
import type { SessionRecord } from './list'
import { extensionOfReachedApps, hasEndedOfRoots } from './reached-apps'
import type { StepUp } from './step-up'
import { unguarded, writeWithLogouts } from './write'

/** What the person has shown. It must still be there when we write the record, which consumes a recovery code. */
type ShownCredential =
  /** Without the hash of a password that was set just now */
  | { method: 'pwd'; passwordHash: string | null }
  /** `givesStepUp` is false for a passkey that could have verified its user and did not. */
  | { method: 'passkey'; passkeyId: string; userVerified: boolean; givesStepUp?: boolean }
  | { method: 'recovery'; codeHash: string; isByOperator: boolean }

/** The account was created just now, or recovered by mail, of which its owner gets a letter in place of one about a new browser. */
type Occasion = 'sign-up' | 'recovery' | 'sign-in'

/**
 * Opens a session after a valid credential. Revokes the request's own: a token that an attacker planted must not outlive a
 * sign-in (session fixation).
 *
 * @throws ApiError authentication_failed if somebody removed the credential meanwhile; account_disabled
 */
export async function openSession(
  user: UserWithEpoch,
  shown: ShownCredential,
  context: RequestContext,
  occasion: Occasion = 'sign-in',
): Promise<OpenedSession> {
  const isNew = occasion === 'sign-up'
  const replaced = context.session === null ? null : await readToken('session', context.session)
  const continued = await continuedSession(user, replaced)
  const record = newSessionRecord(user, shown, { isNew, continued }, context)
  const { inserted, revoked, stopped } = await insertSessionRecord(record, replaced, shown)
  if (!inserted) throw await rejection(user)
  const device = await readDevice(user.id, context)
  // Dates the token from when the person showed the credential, so that the session has its whole lifetime.
  const opened = await issueSessionTokens(user, record, device, Number(record.openedAt) / 1000)
  if (isNew) recorder()?.count('latchkey.sign_ups', {})
  await rememberLanguage(user, context)
  const type = isNew ? 'account_created' : revoked && continued ? 'reauthenticated' : 'signed_in'
  await recordEvent(user.id, type, context, {
    method: shown.method,
    device: device?.jti ?? null,
    newBrowser: occasion === 'sign-in' && device === null,
  })
  await recordStop(stopped, user.id, context)
  return { ...opened, stepUp: await issueStepUp(record, shown) }
}

/** Says that the account is disabled. Call it only after a valid credential: nobody else may learn this. */
const rejection = async ({ id }: UserRow) =>
  new ApiError((await isDisabled(id)) ? 'account_disabled' : 'authentication_failed')

async function issueStepUp(
  { id: sid, userId: sub, epoch, method, userVerified }: NewSessionRecord,
  shown: ShownCredential,
): Promise<string | null> {
  if (shown.method === 'passkey' && shown.givesStepUp === false) return null
  const isByOperator = shown.method === 'recovery' && shown.isByOperator
  const proven = { ...(userVerified && { uv: true as const }), ...(isByOperator && { by_operator: true as const }) }
  const { token } = await issueToken('step-up', { sub, epoch, sid, amr: [method], ...proven }, stepUpSeconds)
  return token
}

/** Remembers the language of the last session, in which letters are. */
async function rememberLanguage({ id }: UserRow, { language }: RequestContext): Promise<void> {
  if (!settings().mail) return
  await bestEffort(
    () => unflushed.changes`
      UPDATE "User" SET "language" = ${language} WHERE "id" = ${id} AND "language" IS DISTINCT FROM ${language}`,
    'could not remember the language of an account',
  )
}

/* A session that replaces another, of which it keeps the time and the root. */

/** Renews a record. `openedAt` stays the time of the credential. */
export const renewedRecord = (session: Claims<'session'>, context: RequestContext): NewSessionRecord => ({
  id: newTokenId(),
  userId: session.sub,
  epoch: session.epoch,
  method: session.amr[0],
  passkeyId: session.pk ?? null,
  userVerified: session.uv === true,
  browser: browserName(context.userAgent),
  openedAt: BigInt(session.auth_time * 1000),
  expiresAt: BigInt(session.exp * 1000),
  lastActiveAt: BigInt(startOfDay(Date.now())),
  rootId: rootOf(session),
  signedUp: session.signed_up ?? null,
})

/**
 * Inserts the session that replaces another, in the transaction that ends that one: a concurrent change that ends sessions
 * would miss one that came later.
 */
export const renewal = (db: Database, record: SessionRecord, condition = sql`TRUE`) =>
  statement(db)`${insertion(record, condition)}`

/**
 * Issues the tokens of a session that replaces another.
 *
 * @param stepUp the one that goes on in the new session; without it, the person has to show a credential again
 */
export async function issueRenewed(
  user: UserRow,
  record: NewSessionRecord,
  context: RequestContext,
  stepUp: StepUp | null = null,
): Promise<OpenedSession> {
  const device = await readDevice(user.id, context)
  const tokens = await issueSessionTokens(user, record, device, nowInSeconds())
  return { ...tokens, stepUp: stepUp && (await stepUp.forRenewed(record)) }
}

/* What both are made of: a record in the database, and tokens. */

/** A record together with the facts that only the token holds. */
interface NewSessionRecord extends SessionRecord {
  userVerified: boolean
  /** The time of the sign-up in seconds since 1970, if that opened the root */
  signedUp: number | null
}

function newSessionRecord(
  user: UserWithEpoch,
  shown: ShownCredential,
  { isNew, continued }: { isNew: boolean; continued: Claims<'session'> | null },
  context: RequestContext,
): NewSessionRecord {
  const now = nowInSeconds()
  return {
    id: newTokenId(),
    userId: user.id,
    epoch: user.sessionEpoch,
    method: shown.method,
    passkeyId: shown.method === 'passkey' ? shown.passkeyId : null,
    userVerified: shown.method === 'passkey' && shown.userVerified,
    browser: browserName(context.userAgent),
    openedAt: BigInt(now * 1000),
    expiresAt: BigInt((now + settings().sessionSeconds) * 1000),
    lastActiveAt: BigInt(startOfDay(now * 1000)),
    rootId: continued && rootOf(continued),
    signedUp: isNew ? now : (continued?.signed_up ?? null),
  }
}

interface Inserted {
  inserted: boolean
  revoked: boolean
  /** Recoveries that waited */
  stopped: number
}

/** Inserts the record of a new session, and only with it revokes `replaced`. */
async function insertSessionRecord(
  record: SessionRecord,
  replaced: Claims<'session'> | null,
  shown: ShownCredential,
): Promise<Inserted> {
  // On PostgreSQL somebody may delete the account after the statement reads it and before the check of its foreign key.
  const result = await insert(record, replaced, shown).catch((error: unknown) => {
    if (isGone(error)) return { inserted: false, revoked: false, stopped: 0 }
    throw error
  })
  if (result.inserted) await endOldestSessions(record.userId)
  return result
}

/**
 * Inserts in one of three ways: by one statement, if nothing else is to be written or locked; in a transaction; or, in place of
 * another session, in one that also tells apps of that session's end.
 */
async function insert(
  record: SessionRecord,
  replaced: Claims<'session'> | null,
  shown: ShownCredential,
): Promise<Inserted> {
  const { dialect } = await connection()
  const isNewPassword = shown.method === 'pwd' && shown.passwordHash === null
  const needsLock = dialect.runsConcurrently && (!isNewPassword || replaced !== null)
  // Whoever has a passkey or a recovery code needs no recovery, and stops one that somebody else may have asked for.
  const stops = shown.method !== 'pwd' && (await hasRecoveries(record.userId))
  const insertsOnly = shown.method !== 'recovery' && !replaced && !stops
  // A single statement needs no transaction around it.
  if (insertsOnly && !needsLock)
    return { inserted: (await flushed.changes`${insertion(record, isThere(shown))}`) === 1, revoked: false, stopped: 0 }
  // Locks the account, so that a password, code or passkey that somebody removes meanwhile opens no session that outlives it.
  const statements = (db: Database) => ({
    lock: needsLock ? lockUser(db, record.userId) : undefined,
    inserted: statement(db)`${insertion(record, isThere(shown))}`,
    revoked: replaced ? consumption(db, replaced, isInserted(record.id)) : undefined,
    consumedCode: shown.method === 'recovery' ? consumptionOfCode(db, record, shown.codeHash) : undefined,
    ...(stops && endOfRecoveries(db, sql`${record.userId}`, isInserted(record.id))),
    reachedApps: record.rootId === null ? undefined : extensionOfReachedApps(db, record.rootId, record.id),
  })
  const { inserted, revoked, stopped } = await (replaced
    ? writeWithLogouts(unguarded, hasEndedOfRoots(rootOf(replaced)), statements)
    : unguarded(statements))
  return { inserted: inserted === 1, revoked: revoked === 1, stopped: stopped ?? 0 }
}

/** True if recoveries wait. A hint, which saves most sign-ins a statement: what begins after it has begun after the sign-in. */
async function hasRecoveries(userId: string): Promise<boolean> {
  if (settings().mailRecovery === null) return false
  return (await readRows`SELECT 1 AS "found" FROM "Recovery" r WHERE r."userId" = ${userId}`).length > 0
}

/** Consumes a recovery code, if the session that it opens was inserted. */
const consumptionOfCode = (db: Database, { id, userId }: SessionRecord, hash: string) =>
  statement(db)`DELETE FROM "RecoveryCode" WHERE "hash" = ${hash} AND "userId" = ${userId} AND ${isInserted(id)}`

/**
 * Inserts a session's record while its passkey is there: of a sign-in as of a renewal.
 *
 * @param condition on "User" as `u`, which must hold, too
 */
const insertion = (record: SessionRecord, condition: Fragment) => sql`
  INSERT INTO "Session" ("id", "userId", "epoch", "method", "passkeyId", "browser", "openedAt", "expiresAt", "lastActiveAt", "rootId")
  SELECT ${record.id}, u."id", u."sessionEpoch", ${record.method}, ${record.passkeyId}, ${record.browser},
    ${record.openedAt}, ${record.expiresAt}, ${record.lastActiveAt}, ${record.rootId}
  FROM "User" u
  WHERE u."id" = ${record.userId} AND ${stillStands(record)} AND ${condition}`

/** A condition: "User" as `u` still has this password or recovery code. */
function isThere(shown: ShownCredential): Fragment {
  if (shown.method === 'recovery')
    return sql`EXISTS (SELECT 1 FROM "RecoveryCode" c WHERE c."hash" = ${shown.codeHash} AND c."userId" = u."id")`
  const isHashed = shown.method === 'pwd' && shown.passwordHash !== null
  return isHashed ? sql`u."passwordHash" = ${shown.passwordHash}` : sql`TRUE`
}

/** The sessions of an account: many of its requests read all of them. */
const maxSessions = 1_000
/** A sign-in ends at most this many. */
const maxEnded = 20

async function endOldestSessions(userId: string): Promise<void> {
  const oldest = await readRows<SqlRow<'Session', 'id'> & { rootId: string }>`
    SELECT s."id", COALESCE(s."rootId", s."id") AS "rootId" FROM "Session" s WHERE s."userId" = ${userId}
    ORDER BY s."openedAt" DESC LIMIT ${maxEnded} OFFSET ${maxSessions}`
  if (oldest.length === 0) return
  const ids = list(oldest.map(({ id }) => id))
  await writeWithLogouts(unguarded, hasEndedOfRoots(...oldest.map(({ rootId }) => rootId)), (db) => ({
    ended: consumptionOfAll(db, sql`SELECT s."id", s."expiresAt" FROM "Session" s WHERE s."id" IN (${ids})`),
    removed: statement(db)`DELETE FROM "Session" WHERE "id" IN (${ids})`,
  }))
}

/** `seconds` is a token's lifetime; `stepUp` is a token that proves a credential. */
export interface OpenedSession {
  user: User
  session: { token: string; seconds: number; expiresAt: string }
  device: { token: string; seconds: number }
  access: AccessCookie | null
  stepUp: string | null
}

/**
 * @param device the browser's device token, if it has signed in to the account before
 * @param iat the session token's
 */
async function issueSessionTokens(
  user: UserRow,
  record: NewSessionRecord,
  device: Claims<'device'> | null,
  iat: number,
): Promise<Omit<OpenedSession, 'stepUp'>> {
  const { id: jti, userId: sub, epoch, method, passkeyId, userVerified, openedAt, expiresAt, rootId, signedUp } = record
  const seconds = Number(expiresAt) / 1000 - iat
  const passkey = { ...(passkeyId && { pk: passkeyId }), ...(userVerified && { uv: true as const }) }
  const first = { ...(rootId !== null && { root: rootId }), ...(signedUp !== null && { signed_up: signedUp }) }
  const claims = { sub, epoch, amr: [method] as [Method], auth_time: Number(openedAt) / 1000, ...passkey, ...first }
  const session = await issueToken('session', claims, seconds, { jti, iat })
  // A browser keeps its identity, so that signing in again gives it no further attempts.
  const known = device ? { jti: device.jti } : {}
  const { token } = await issueToken('device', { sub, epoch }, deviceSeconds, known)
  return {
    user: publicUser(user),
    session: { token: session.token, seconds, expiresAt: isoOfMilliseconds(expiresAt) },
    device: { token, seconds: deviceSeconds },
    access: await issueAccessCookie({ ...claims, jti, iat, exp: session.exp }),
  }
}
