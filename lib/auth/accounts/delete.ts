import { type EventKind, eventKind } from '@/lib/api/schemas'
import { connection, database } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { readRows, type SqlRow, sql } from '@/lib/database/sql'
import { recipientOf, writeToFormer } from '../events/letters'
import { logSecurityEvent } from '../events/security-log'
import { announce, deliverWebhooks, isAccount } from '../events/webhooks'
import type { RequestContext } from '../request'
import { deliverLogouts, enqueueAccountLogouts } from '../sessions/reached-apps'
import type { StepUp } from '../sessions/step-up'
import { asStepUp, deleteCodes, deleteInBatches, deleteReachedApps, type PrivilegedWriter } from '../sessions/write'
import { retireUsernames, usernamesOf } from './identifiers'

export async function deleteAccount({ stepUp, context }: { stepUp: StepUp; context: RequestContext }): Promise<void> {
  const { user } = stepUp.session
  const former = await recipientOf(user.id)
  await deleteUser(asStepUp(stepUp), user.id)
  await writeToFormer(former, 'account_deleted', { origin: context, method: null })
  logSecurityEvent('account_deleted', context, { account: user.id })
}

/** Foreign keys delete what the account owns. Its usernames stay taken for a while. */
export async function deleteUser(write: PrivilegedWriter, id: string): Promise<void> {
  await deleteOldEvents(write, id)
  await deleteCodes(write, sql`c."grantId" IN (SELECT g."id" FROM "Grant" g WHERE g."userId" = ${id})`)
  await deleteReachedApps(write, id)
  const keys = await usernamesOf(await database(), id)
  const deletion = write((db) => ({
    ...enqueueAccountLogouts(db, id),
    announcement: announce(db, 'account.deleted', isAccount(id)),
    usernames: retireUsernames(db, id, keys),
    user: db.user.deleteMany({ where: { id } }),
  }))
  await deletion.then(
    ({ logouts }) => deliverLogouts(logouts),
    (cause: unknown) => {
      // It was renamed meanwhile.
      if (isConflict(cause, 'Identifier')) return deleteUser(write, id)
      throw cause
    },
  )
  deliverWebhooks()
}

/** Rows of each kind that may go with the account in one statement; more would hold up everybody on the embedded database. */
const maxCascaded = 1_000

/** The newest stay until the account goes: a deletion that fails must erase no traces. */
async function deleteOldEvents(write: PrivilegedWriter, userId: string): Promise<void> {
  if ((await connection()).dialect.runsConcurrently) return
  for (const kind of eventKind.options) {
    const [newest] = await readRows<SqlRow<'Event', 'at'>>`
      SELECT "at" FROM "Event" WHERE "userId" = ${userId} AND "kind" = ${kind}
      ORDER BY "at" DESC LIMIT 1 OFFSET ${maxCascaded}`
    if (newest) await deleteEventsUntil(write, { userId, kind, at: BigInt(newest.at) })
  }
}

const deleteEventsUntil = (
  write: PrivilegedWriter,
  { userId, kind, at }: { userId: string; kind: EventKind; at: bigint },
) =>
  deleteInBatches(
    write,
    (size) => sql`
      DELETE FROM "Event" WHERE "id" IN (
        SELECT e."id" FROM "Event" e
        WHERE e."userId" = ${userId} AND e."kind" = ${kind} AND e."at" <= ${at} LIMIT ${size})`,
    { min: 250 },
  )
