import type { LiveSession } from '@/lib/api/schemas'
import { isoOfMilliseconds } from '../model/time'
import type { Session } from './find-session'
import { liveSessionRecords, type SessionRecord } from './session-records'

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
  // Of an older session, nothing is recorded until it is used again.
  lastActiveAt: isoOfMilliseconds(lastActiveAt ?? openedAt).slice(0, 10),
})
