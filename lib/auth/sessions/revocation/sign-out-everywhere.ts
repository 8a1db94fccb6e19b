import type { signOutEverywhereInput } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { recordEvent } from '../../audit/events'
import type { Parsed } from '../../model/request-context'
import { rootOf } from '../../tokens/claims'
import type { Session } from '../find-session'
import type { OpenedSession } from '../issue-session-tokens'
import { renewSession } from '../open-session'
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
  const epoch = await revokeAllSessions(asSession(claims), user.id, exceptThis ? rootOf(claims) : undefined)
  await recordEvent(user.id, 'signed_out_everywhere', context)
  return exceptThis ? renewSession(user, { ...claims, epoch }, context) : null
}

/** @param keptRoot of the session that is renewed afterwards @returns the epoch of later sessions */
export async function revokeAllSessions(write: Writer, id: string, keptRoot?: string): Promise<number> {
  const { user } = await writeWithLogouts(write, { userId: id, keptRoot }, (db) => ({
    user: db.user.update({ where: { id }, data: { sessionEpoch: { increment: 1 } }, select: { sessionEpoch: true } }),
    // Each renewal leaves a record: whoever repeats this would fill the table.
    earlierRecords: deletionOfEarlierRecords(db, id),
  }))
  return user.sessionEpoch
}

const deletionOfEarlierRecords = (db: Database, id: string) => db.$executeRaw`
  DELETE FROM "Session"
  WHERE "userId" = ${id} AND "epoch" < (SELECT u."sessionEpoch" FROM "User" u WHERE u."id" = ${id})`
