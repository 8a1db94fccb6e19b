import { ApiError } from '@/lib/api/errors'
import type { revokeSessionInput } from '@/lib/api/schemas'
import { flushReads } from '@/lib/database/direct-sql'
import { sql } from '@/lib/database/fragments'
import { logSecurityEvent } from '../../audit/security-log'
import type { Parsed } from '../../model/request-context'
import { rootOf } from '../../tokens/claims'
import { consumption } from '../../tokens/consumed-tokens'
import { deleteCodes } from '../delete-in-batches'
import type { Session } from '../find-session'
import { endedOfRoots } from '../logouts'
import { liveSessionRecord } from '../session-records'
import type { StepUp } from '../step-up'
import { asSession } from '../write-as-session'
import { writeWithLogouts } from '../write-with-logouts'
import { endOfRoot } from './ended-with-credential'
import { requireRecent } from './require-recent'

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
  const rootId = record.rootId ?? id
  const write = asSession(session.claims)
  await writeWithLogouts(write, endedOfRoots(rootId), (db) => ({
    listed: consumption(db, { jti: id, exp: Number(record.expiresAt) / 1000 }),
    // Another may have been given in its place since it was read: the account is locked.
    ...endOfRoot(db, session.user.id, rootId, session.claims.jti),
  }))
  // The request's own session keeps the root, and with it codes without refresh tokens.
  if (!isOwn && rootId === rootOf(session.claims)) await deleteCodes(write, sql`c."rootId" = ${rootId}`)
  logSecurityEvent('session_revoked', context, { account: session.user.id })
  return isOwn
}
