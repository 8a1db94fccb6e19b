import type { signOutEverywhereInput } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { recordEvent } from '../../audit/events'
import type { Parsed } from '../../model/request-context'
import type { Session } from '../find-session'
import { renewal } from '../insert-session-record'
import type { OpenedSession } from '../issue-session-tokens'
import { endedOfAccount } from '../logouts'
import { issueRenewed } from '../open-session'
import { renewedRecord, type SessionRecord } from '../session-records'
import type { StepUp } from '../step-up'
import { asSession, type Writer } from '../write-as-session'
import { writeWithLogouts } from '../write-with-logouts'
import { requireRecent } from './require-recent'

interface Caller {
  session: Session
  stepUp: StepUp | null
}

/** Without `exceptThis` it needs no credential: an owner in a hurry is not slowed down, and a thief loses the session. */
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
  return renewed && issueRenewed(user, renewed, context)
}

/** @param renewed given in place of the caller's session, in the next epoch */
export async function revokeAllSessions(write: Writer, id: string, renewed: SessionRecord | null): Promise<void> {
  await writeWithLogouts(write, endedOfAccount(id), (db) => ({
    user: db.user.update({ where: { id }, data: { sessionEpoch: { increment: 1 } }, select: { id: true } }),
    // Each renewal leaves a record: whoever repeats this would fill the table.
    earlierRecords: deletionOfEarlierRecords(db, id),
    renewed: renewed ? renewal(db, renewed) : undefined,
  }))
}

const deletionOfEarlierRecords = (db: Database, id: string) => db.$executeRaw`
  DELETE FROM "Session"
  WHERE "userId" = ${id} AND "epoch" < (SELECT u."sessionEpoch" FROM "User" u WHERE u."id" = ${id})`
