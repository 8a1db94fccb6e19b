import { ApiError } from '@/lib/api/errors'
import type { Method } from '@/lib/api/schemas'
import { connection, type Database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import { flushed, list, readRows, sql, statement, unflushed } from '@/lib/database/sql'
import { bestEffort } from '@/lib/process/after-response'
import { recorder } from '@/lib/process/recorder'
import { settings } from '@/lib/settings/settings'
import { isDisabled, lockUser, type UserRow, type UserWithEpoch } from '../accounts/account'
import { browserName } from '../audit/browser-name'
import { recordEvent } from '../audit/events'
import { endOfRecoveries, hasRecoveries, recordStop } from '../recovery/waiting'
import type { RequestContext } from '../request'
import { nowInSeconds } from '../time'
import { type Claims, rootOf, stepUpSeconds } from '../tokens/claims'
import { consumption, consumptionOfAll } from '../tokens/consumed-tokens'
import { issueToken, newTokenId, readDevice, readToken } from '../tokens/tokens'
import { continuedSession, isInserted, startOfDay } from './find'
import type { SessionRecord } from './list'
import { endedOfRoots, extensionOfReachedApps } from './logouts'
import {
  type ExpectedCredential,
  insertion,
  issueSessionTokens,
  type NewSessionRecord,
  type OpenedSession,
} from './renew'
import { unguarded, writeWithLogouts } from './write'

interface ShownCredential extends ExpectedCredential {
  method: SessionRecord['method']
  passkeyId?: string | null
  /** False for a passkey that could have verified its user and did not. */
  givesStepUp?: boolean
  userVerified?: boolean
  isNew?: boolean
  /** The account was recovered by mail, of which its owner gets a letter in place of one about a new browser. */
  isRecovered?: boolean
  /** A recovery code that an operator made */
  isByOperator?: boolean
}

/**
 * Opens a session after a valid credential. Revokes the request's own: a token that an attacker planted must not outlive a
 * sign-in (session fixation).
 *
 * @throws ApiError authentication_failed if somebody removed the credential meanwhile; account_disabled
 */
export async function openSession(
  user: UserWithEpoch,
  {
    method,
    passkeyId = null,
    userVerified = false,
    givesStepUp = true,
    isNew = false,
    isRecovered = false,
    isByOperator,
    ...expected
  }: ShownCredential,
  context: RequestContext,
): Promise<OpenedSession> {
  const replaced = context.session === null ? null : await readToken('session', context.session)
  const continued = await continuedSession(user, replaced)
  const record = newSessionRecord(user, { method, passkeyId, userVerified, isNew }, continued, context)
  const { inserted, revoked, stopped } = await insertSessionRecord(record, replaced, expected)
  if (!inserted) throw await rejection(user)
  const device = await readDevice(user.id, context)
  // Dates the token from when the person showed the credential, so that the session has its whole lifetime.
  const opened = await issueSessionTokens(user, record, device, Number(record.openedAt) / 1000)
  if (isNew) recorder()?.count('latchkey.sign_ups', {})
  await rememberLanguage(user, context)
  const type = isNew ? 'account_created' : revoked && continued ? 'reauthenticated' : 'signed_in'
  await recordEvent(user.id, type, context, {
    method,
    device: device?.jti ?? null,
    newBrowser: !isNew && !isRecovered && device === null,
  })
  await recordStop(stopped, user.id, context)
  return { ...opened, stepUp: givesStepUp ? await issueStepUp(record, isByOperator) : null }
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

/** Says that the account is disabled. Call it only after a valid credential: nobody else may learn this. */
const rejection = async ({ id }: UserRow) =>
  new ApiError((await isDisabled(id)) ? 'account_disabled' : 'authentication_failed')

async function issueStepUp(
  { id: sid, userId: sub, epoch, method, userVerified }: NewSessionRecord,
  isByOperator = false,
): Promise<string> {
  const proven = { ...(userVerified && { uv: true as const }), ...(isByOperator && { by_operator: true as const }) }
  const { token } = await issueToken('step-up', { sub, epoch, sid, amr: [method], ...proven }, stepUpSeconds)
  return token
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
  expected: ExpectedCredential = {},
): Promise<Inserted> {
  // On PostgreSQL somebody may delete the account after the statement reads it and before the check of its foreign key.
  const result = await insert(record, replaced, expected).catch((error: unknown) => {
    if (isGone(error)) return { inserted: false, revoked: false, stopped: 0 }
    throw error
  })
  if (result.inserted) await endOldestSessions(record.userId)
  return result
}

/** The sessions of an account: many of its requests read all of them. */
const maxSessions = 1_000
/** A sign-in ends so many at most. */
const maxEnded = 20

async function endOldestSessions(userId: string): Promise<void> {
  const oldest = await readRows<{ id: string; rootId: string }>`
    SELECT s."id", COALESCE(s."rootId", s."id") AS "rootId" FROM "Session" s WHERE s."userId" = ${userId}
    ORDER BY s."openedAt" DESC LIMIT ${maxEnded} OFFSET ${maxSessions}`
  if (oldest.length === 0) return
  const ids = list(oldest.map(({ id }) => id))
  await writeWithLogouts(unguarded, endedOfRoots(...oldest.map(({ rootId }) => rootId)), (db) => ({
    ended: consumptionOfAll(db, sql`SELECT s."id", s."expiresAt" FROM "Session" s WHERE s."id" IN (${ids})`),
    removed: statement(db, sql`DELETE FROM "Session" WHERE "id" IN (${ids})`),
  }))
}

async function insert(
  record: SessionRecord,
  replaced: Claims<'session'> | null,
  expected: ExpectedCredential,
): Promise<Inserted> {
  const { passwordHash, codeHash } = expected
  const { dialect } = await connection()
  const isOfCredential = passwordHash !== undefined || record.passkeyId !== null
  const needsLock = dialect.runsConcurrently && (isOfCredential || codeHash !== undefined || replaced !== null)
  // Whoever has a passkey or a recovery code needs no recovery, and stops one that somebody else may have asked for.
  const stops = record.method !== 'pwd' && (await hasRecoveries(record.userId))
  // A single statement needs no transaction around it.
  if (!needsLock && codeHash === undefined && !replaced && !stops)
    return { inserted: (await flushed.changes`${insertion(record, expected)}`) === 1, revoked: false, stopped: 0 }
  // Locks the account, so that a password, code or passkey that somebody removes meanwhile opens no session that outlives it.
  const statements = (db: Database) => ({
    lock: needsLock ? lockUser(db, record.userId) : undefined,
    inserted: statement(db, insertion(record, expected)),
    revoked: replaced ? consumption(db, replaced, isInserted(record.id)) : undefined,
    consumedCode: codeHash === undefined ? undefined : consumptionOfCode(db, record, codeHash),
    ...(stops && endOfRecoveries(db, sql`${record.userId}`, isInserted(record.id))),
    reachedApps: record.rootId === null ? undefined : extensionOfReachedApps(db, record.rootId, record.id),
  })
  const { inserted, revoked, stopped } = await (replaced
    ? writeWithLogouts(unguarded, endedOfRoots(rootOf(replaced)), statements)
    : unguarded(statements))
  return { inserted: inserted === 1, revoked: revoked === 1, stopped: stopped ?? 0 }
}

/** Consumes a recovery code, if the session that it opens was inserted. */
const consumptionOfCode = (db: Database, { id, userId }: SessionRecord, hash: string) =>
  statement(db, sql`DELETE FROM "RecoveryCode" WHERE "hash" = ${hash} AND "userId" = ${userId} AND ${isInserted(id)}`)

interface Shown {
  method: Method
  passkeyId: string | null
  userVerified: boolean
  /** Created just now, together with the account. */
  isNew: boolean
}

/** @param continued the session that it replaces */
function newSessionRecord(
  user: UserWithEpoch,
  { method, passkeyId, userVerified, isNew }: Shown,
  continued: Claims<'session'> | null,
  context: RequestContext,
): NewSessionRecord {
  const now = nowInSeconds()
  return {
    id: newTokenId(),
    userId: user.id,
    epoch: user.sessionEpoch,
    method,
    passkeyId,
    userVerified,
    browser: browserName(context.userAgent),
    openedAt: BigInt(now * 1000),
    expiresAt: BigInt((now + settings().sessionSeconds) * 1000),
    lastActiveAt: BigInt(startOfDay(now * 1000)),
    rootId: continued && rootOf(continued),
    signedUp: isNew ? now : (continued?.signed_up ?? null),
  }
}
