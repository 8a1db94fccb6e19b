import { limits } from '@/lib/api/limits'
import type { LiveSession, Method } from '@/lib/api/schemas'
import { readRows, type SqlInteger } from '@/lib/database/direct-sql'
import { sql } from '@/lib/database/fragments'
import { settings } from '@/lib/settings/settings'
import type { UserWithEpoch } from '../accounts/account'
import { browserName } from '../audit/browser-name'
import type { RequestContext } from '../request'
import { isoOfMilliseconds, nowInSeconds } from '../time'
import { authTimeOf, type Claims, rootOf } from '../tokens/claims'
import { newTokenId } from '../tokens/tokens'
import { isValidRow, type Session, startOfDay } from './find'

export async function listSessions({ session }: { session: Session }): Promise<{ sessions: LiveSession[] }> {
  return { sessions: await describeSessions(session) }
}

export async function describeSessions({ claims }: Pick<Session, 'claims'>): Promise<LiveSession[]> {
  const records = await liveSessionRecords(claims)
  return records.map((record) => ({ ...describeSessionRecord(record), current: record.id === claims.jti }))
}

export const describeSessionRecord = ({ id, method, browser, openedAt, expiresAt, lastActiveAt }: SessionRecord) => ({
  id,
  method,
  browser,
  at: isoOfMilliseconds(openedAt),
  expiresAt: isoOfMilliseconds(expiresAt),
  // A session has no time of use until somebody uses it again.
  lastActiveAt: isoOfMilliseconds(lastActiveAt ?? openedAt).slice(0, 10),
})

/** Times in milliseconds since 1970. */
export interface SessionRecord {
  id: string
  userId: string
  epoch: number
  method: Method
  passkeyId: string | null
  browser: string | null
  openedAt: bigint
  expiresAt: bigint
  /** The start, in UTC, of the last day of its use; null: older than this column */
  lastActiveAt: bigint | null
  /** The first in its chain of replacements; null: it is the first */
  rootId: string | null
}

/** A record together with the facts that only the token holds. */
export interface NewSessionRecord extends SessionRecord {
  userVerified: boolean
  /** The time of the sign-up in seconds since 1970, if that opened the root */
  signedUp: number | null
}

interface Shown {
  method: Method
  passkeyId: string | null
  userVerified: boolean
  /** Created just now, together with the account. */
  isNew: boolean
}

/** @param continued the session that it replaces */
export function newSessionRecord(
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

/** Renews a record. `openedAt` stays the time of the credential. */
export const renewedRecord = (session: Claims<'session'>, context: RequestContext): NewSessionRecord => ({
  id: newTokenId(),
  userId: session.sub,
  epoch: session.epoch,
  method: session.amr[0],
  passkeyId: session.pk ?? null,
  userVerified: session.uv === true,
  browser: browserName(context.userAgent),
  openedAt: BigInt(authTimeOf(session) * 1000),
  expiresAt: BigInt(session.exp * 1000),
  lastActiveAt: BigInt(startOfDay(Date.now())),
  rootId: rootOf(session),
  signedUp: session.signed_up ?? null,
})

type SessionRow = Omit<SessionRecord, 'openedAt' | 'expiresAt' | 'lastActiveAt'> &
  Record<'openedAt' | 'expiresAt', SqlInteger> & { lastActiveAt: SqlInteger | null }

interface Reader {
  sub: string
  /** The request's session's: without it, one that has ended would list newer ones. */
  epoch: number
  /** The request's session, which the list has however many are newer */
  jti?: string
}

/** Lists at most `limits.sessions`, newest first; the request's own is the last of them if it is older. */
export async function liveSessionRecords(reader: Reader): Promise<SessionRecord[]> {
  const { jti } = reader
  const rows = await readRows<SessionRow>`
    ${liveRows(reader)} ORDER BY s."openedAt" DESC, s."id" LIMIT ${limits.sessions}`
  const isListed = jti === undefined || rows.some(({ id }) => id === jti)
  const own = isListed ? undefined : await liveSessionRecord(reader, jti)
  return own ? [...rows.slice(0, limits.sessions - 1).map(recordOf), own] : rows.map(recordOf)
}

export async function liveSessionRecord(reader: Reader, id: string): Promise<SessionRecord | undefined> {
  const [row] = await readRows<SessionRow>`${liveRows(reader)} AND s."id" = ${id}`
  return row && recordOf(row)
}

const liveRows = ({ sub, epoch }: Reader) => sql`
  SELECT s."id", s."userId", s."epoch", s."method", s."passkeyId", s."browser", s."openedAt", s."expiresAt",
    s."lastActiveAt", s."rootId"
  FROM "User" u JOIN "Session" s ON ${isValidRow()}
  WHERE u."id" = ${sub} AND s."epoch" = ${epoch}`

const recordOf = (row: SessionRow): SessionRecord => ({
  ...row,
  openedAt: BigInt(row.openedAt),
  expiresAt: BigInt(row.expiresAt),
  lastActiveAt: row.lastActiveAt === null ? null : BigInt(row.lastActiveAt),
})
