import { ApiError } from '@/lib/api/errors'
import type { revokeSessionInput, signOutEverywhereInput } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { flushReads, sql, statement } from '@/lib/database/sql'
import { recordEvent } from '../events/record'
import { logIfForged } from '../events/rejections'
import { logSecurityEvent } from '../events/security-log'
import type { Parsed, RequestContext } from '../request'
import { nowInSeconds } from '../time'
import { type Claims, rootOf, stepUpSeconds } from '../tokens/claims'
import { consumption, isConsumed, readToken } from '../tokens/tokens'
import { endOfRoot } from './end'
import type { Session } from './find'
import { issueRenewed, type OpenedSession, renewal, renewedRecord } from './issue'
import { liveSessionRecord, type SessionRecord } from './list'
import { hasEndedOfAccount, hasEndedOfRoots } from './reached-apps'
import type { StepUp } from './step-up'
import { asSession, deleteCodes, unguarded, type Writer, writeWithLogouts } from './write'

/** Ignores invalid and already revoked tokens. @returns whether it revoked a session */
export async function signOut({ context }: { context: RequestContext }): Promise<boolean> {
  const claims = context.session === null ? null : await readToken('session', context.session)
  if (!claims) await logIfForged(context.session, context)
  if (!claims || !(await revokeSession(claims))) return false
  logSecurityEvent('signed_out', context, { account: claims.sub })
  return true
}

/** Apps keep their refresh tokens. @returns false if it has ended before */
export async function revokeSession(claims: Claims<'session'>): Promise<boolean> {
  const { sub, epoch, jti } = claims
  // This hint saves a write for somebody who repeats the call. Flushes, because a row that only readers see would be gone after
  // a power cut.
  if (await isConsumed(jti)) {
    await flushReads()
    return false
  }
  const { consumed, stood } = await writeWithLogouts(unguarded, hasEndedOfRoots(rootOf(claims)), (db) => ({
    consumed: consumption(db, claims),
    // A new epoch ends sessions without consuming them. Read after the consumption, which waits for such a change to commit.
    stood: db.user.count({ where: { id: sub, sessionEpoch: epoch } }),
  }))
  return consumed === 1 && stood === 1
}

interface Caller {
  session: Session
  stepUp: StepUp | null
}

/**
 * Ends all sessions; without `exceptThis` this needs no credential, since it must not slow an owner down, and costs a thief the
 * session.
 */
export async function signOutEverywhere({
  body: { exceptThis },
  session,
  stepUp,
  context,
}: Parsed<typeof signOutEverywhereInput> & Caller): Promise<OpenedSession | null> {
  if (exceptThis) requireRecent(session, stepUp)
  const { user, claims } = session
  const renewed = exceptThis ? renewedRecord({ ...claims, epoch: claims.epoch + 1 }, context) : null
  await revokeAllSessions(asSession(claims), user.id, renewed)
  await recordEvent(user.id, 'signed_out_everywhere', context)
  return renewed && issueRenewed(user, renewed, context, stepUp)
}

/** @param renewed given in place of the caller's session, in the next epoch */
export async function revokeAllSessions(write: Writer, id: string, renewed: SessionRecord | null): Promise<void> {
  await writeWithLogouts(write, hasEndedOfAccount(id), (db) => ({
    user: db.user.update({ where: { id }, data: { sessionEpoch: { increment: 1 } }, select: { id: true } }),
    // Deletes earlier records, because each renewal leaves one: somebody who repeats this would fill the table.
    earlierRecords: deletionOfEarlierRecords(db, id),
    renewed: renewed ? renewal(db, renewed) : undefined,
  }))
}

const deletionOfEarlierRecords = (db: Database, id: string) => statement(db)`
  DELETE FROM "Session"
  WHERE "userId" = ${id} AND "epoch" < (SELECT u."sessionEpoch" FROM "User" u WHERE u."id" = ${id})`

interface Listed {
  userId: string
  id: string
  record: SessionRecord
  /** A session that stays */
  kept: string | null
}

/** Ends a session, those that replaced it, and the refresh tokens of all of them. @returns their root */
export async function endListedSession(write: Writer, { userId, id, record, kept }: Listed): Promise<string> {
  const rootId = record.rootId ?? id
  await writeWithLogouts(write, hasEndedOfRoots(rootId), (db) => ({
    listed: consumption(db, { jti: id, exp: Number(record.expiresAt) / 1000 }),
    // Ends the root's other sessions: another may have taken this one's place since we read it, before the lock.
    ...endOfRoot(db, userId, rootId, kept ?? ''),
  }))
  return rootId
}

/** @returns whether it was the request's own */
export async function revokeListedSession({
  body: { id },
  session,
  stepUp,
  context,
}: Parsed<typeof revokeSessionInput> & { session: Session; stepUp: StepUp | null }): Promise<boolean> {
  const record = await liveSessionRecord(session.claims, id)
  if (!record) {
    await flushReads()
    throw new ApiError('not_found', { notOwned: true })
  }
  const isOwn = id === session.claims.jti
  if (!isOwn) requireRecent(session, stepUp)
  const write = asSession(session.claims)
  const rootId = await endListedSession(write, { userId: session.user.id, id, record, kept: session.claims.jti })
  // The request's own session keeps the root, and with it codes without refresh tokens.
  if (!isOwn && rootId === rootOf(session.claims)) await deleteCodes(write, sql`c."rootId" = ${rootId}`)
  logSecurityEvent('session_revoked', context, { account: session.user.id })
  return isOwn
}

/**
 * Requires a recent credential for ending other sessions: a copied session could otherwise end each one that its owner opens.
 */
function requireRecent({ claims }: Session, stepUp: StepUp | null): void {
  const isRecent = nowInSeconds() - claims.auth_time < stepUpSeconds
  if (!isRecent && stepUp === null) throw new ApiError('reauthentication_required')
}
