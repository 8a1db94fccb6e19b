import type { LiveSession } from '@/lib/api/schemas'
import { isoOfMilliseconds } from '../model/time'
import type { Session } from './find-session'
import { liveSessionRecords, type SessionRecord } from './session-records'

type CheckedSession = Pick<Session, 'claims'>

export const recordsOf = ({ claims }: CheckedSession) => liveSessionRecords(claims.sub, claims.epoch)

export async function listSessions({ session }: { session: Session }): Promise<{ sessions: LiveSession[] }> {
  return { sessions: await sessionsOf(session) }
}

export async function sessionsOf(session: CheckedSession): Promise<LiveSession[]> {
  const records = await recordsOf(session)
  return records.map((record) => ({ ...describeSessionRecord(record), current: record.id === session.claims.jti }))
}

export const describeSessionRecord = ({ id, method, browser, openedAt, expiresAt, lastActiveAt }: SessionRecord) => ({
  id,
  method,
  browser,
  at: isoOfMilliseconds(openedAt),
  expiresAt: isoOfMilliseconds(expiresAt),
  // Of an older session, nothing is recorded until it is used again.
  lastActiveAt: isoOfMilliseconds(lastActiveAt ?? openedAt).slice(0, 10),
})
