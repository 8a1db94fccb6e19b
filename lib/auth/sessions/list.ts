import { limits } from '@/lib/api/limits'
import type { LiveSession, Method } from '@/lib/api/schemas'
import { readRows, type SqlRow, sql } from '@/lib/database/sql'
import { isoOfMilliseconds } from '../time'
import { isValidRow, type Session } from './find'

export async function listSessions({
  session: { claims },
}: {
  session: Pick<Session, 'claims'>
}): Promise<{ sessions: LiveSession[] }> {
  const records = await liveSessionRecords(claims)
  return {
    sessions: records.map((record) => ({ ...describeSessionRecord(record), current: record.id === claims.jti })),
  }
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
  /** The start, in UTC, of the last day of its use */
  lastActiveAt: bigint | null
  /** The first in its chain of replacements; null: it is the first */
  rootId: string | null
}

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
  const rows = await readRows<SqlRow<'Session'>>`
    ${liveRows(reader)} ORDER BY s."openedAt" DESC, s."id" LIMIT ${limits.sessions}`
  const isListed = jti === undefined || rows.some(({ id }) => id === jti)
  const own = isListed ? undefined : await liveSessionRecord(reader, jti)
  return own ? [...rows.slice(0, limits.sessions - 1).map(recordOf), own] : rows.map(recordOf)
}

export async function liveSessionRecord(reader: Reader, id: string): Promise<SessionRecord | undefined> {
  const [row] = await readRows<SqlRow<'Session'>>`${liveRows(reader)} AND s."id" = ${id}`
  return row && recordOf(row)
}

const liveRows = ({ sub, epoch }: Reader) => sql`
  SELECT s."id", s."userId", s."epoch", s."method", s."passkeyId", s."browser", s."openedAt", s."expiresAt",
    s."lastActiveAt", s."rootId"
  FROM "User" u JOIN "Session" s ON ${isValidRow()}
  WHERE u."id" = ${sub} AND s."epoch" = ${epoch}`

const recordOf = (row: SqlRow<'Session'>): SessionRecord => ({
  ...row,
  method: row.method as Method,
  openedAt: BigInt(row.openedAt),
  expiresAt: BigInt(row.expiresAt),
  lastActiveAt: row.lastActiveAt === null ? null : BigInt(row.lastActiveAt),
})
