import { ApiError } from '@/lib/api/errors'
import type { LiveSession, revokeSessionInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { consumption } from '@/lib/database/consumed-tokens'
import { logSecurityEvent } from '../audit/security-log'
import type { Parsed } from '../model/request-context'
import { endOfFamiliesOfSession } from './end-families'
import { deliverLogouts, logoutsOf, ofAccount } from './reached-apps'
import { liveSessionRecords, type SessionRecord } from './session-records'
import type { Session } from './sessions'

type CheckedSession = Pick<Session, 'claims' | 'passkeys'>

const recordsOf = ({ claims, passkeys }: CheckedSession) =>
  liveSessionRecords(
    claims.sub,
    claims.epoch,
    passkeys.map(({ id }) => id),
  )

export async function listSessions({ session }: { session: Session }): Promise<{ sessions: LiveSession[] }> {
  return { sessions: await sessionsOf(session) }
}

export async function sessionsOf(session: CheckedSession): Promise<LiveSession[]> {
  const records = await recordsOf(session)
  return records.map((record) => ({ ...describeSessionRecord(record), current: record.id === session.claims.jti }))
}

export const describeSessionRecord = ({ id, method, browser, openedAt, expiresAt }: SessionRecord) => ({
  id,
  method,
  browser,
  at: new Date(Number(openedAt)).toISOString(),
  expiresAt: new Date(Number(expiresAt)).toISOString(),
})

/** @returns whether it was the request's own */
export async function revokeListedSession({
  body: { id },
  session,
  context,
}: Parsed<typeof revokeSessionInput> & { session: Session }): Promise<boolean> {
  const record = (await recordsOf(session)).find((candidate) => candidate.id === id)
  if (!record) throw new ApiError('not_found', { notOwned: true })
  const db = await database()
  const [, , told] = await db.$transaction([
    consumption(db, { jti: id, exp: Number(record.expiresAt) / 1000 }),
    endOfFamiliesOfSession(db, record.rootId ?? id),
    ...logoutsOf(db, ofAccount(session.user.id)),
  ])
  deliverLogouts(told)
  logSecurityEvent('session_revoked', context, { account: session.user.id })
  return id === session.claims.jti
}
