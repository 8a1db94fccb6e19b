import { ApiError } from '@/lib/api/errors'
import { type LiveSession, revokeSessionInput } from '@/lib/api/schemas'
import { consumeToken } from '@/lib/database/consumed-tokens'
import type { RequestContext } from './request-context'
import { logSecurityEvent } from './security-log'
import { liveSessionRecords, type SessionRecord } from './session-records'
import { requireSession, type Session } from './sessions'
import { parse } from './validation'

type CheckedSession = Pick<Session, 'claims' | 'passkeys'>

const recordsOf = ({ claims, passkeys }: CheckedSession) =>
  liveSessionRecords(
    claims.sub,
    claims.epoch,
    passkeys.map(({ id }) => id),
  )

/**
 * @returns `{sessions: [{id, method, browser, at, expiresAt, current}]}`, the valid ones, newest first
 * @throws ApiError not_signed_in
 */
export async function listSessions(context: RequestContext): Promise<{ sessions: LiveSession[] }> {
  return { sessions: await sessionsOf(await requireSession(context.session)) }
}

/** As listSessions, for a session that has been checked. */
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

/**
 * Revokes one of the account's sessions.
 *
 * @param body `{id}`
 * @returns whether it was the request's own
 * @throws ApiError not_signed_in, invalid_request, not_found
 */
export async function revokeListedSession(body: unknown, context: RequestContext): Promise<boolean> {
  const session = await requireSession(context.session)
  const { id } = parse(revokeSessionInput, body)
  const record = (await recordsOf(session)).find((candidate) => candidate.id === id)
  if (!record) throw new ApiError('not_found')
  await consumeToken({ jti: id, exp: Number(record.expiresAt) / 1000 })
  logSecurityEvent('session_revoked', context, { account: session.user.id })
  return id === session.claims.jti
}
