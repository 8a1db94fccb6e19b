import type { Database } from '@/lib/database/client'
import { type Fragment, readRows, sql, statement } from '@/lib/database/sql'
import { settings } from '@/lib/settings/settings'
import { recordEvent } from '../audit/events'
import type { EventContext } from '../request'

/**
 * The statements that stop the recoveries by mail of these accounts, of a transaction that has locked the accounts. The letters
 * whose link nobody has pressed go, too, so that whoever has one must ask anew.
 *
 * @param ids values or a SELECT of ids
 * @param condition must hold, too
 */
export const endOfRecoveries = (db: Database, ids: Fragment, condition = sql`TRUE`) => ({
  stopped: statement(db)`
    DELETE FROM "Recovery" WHERE "userId" IN (${ids}) AND ${condition}
      AND "readyAt" IS NOT NULL AND "expiresAt" > ${BigInt(Date.now())}`,
  unpressed: statement(db)`DELETE FROM "Recovery" WHERE "userId" IN (${ids}) AND ${condition}`,
})

/** Tells the owner of what `endOfRecoveries` has stopped. @param stopped how many waited */
export async function recordStop(
  stopped: number,
  userId: string,
  origin: EventContext,
  how: Parameters<typeof recordEvent>[3] = {},
): Promise<void> {
  if (stopped > 0) await recordEvent(userId, 'recovery_stopped', origin, how)
}

/** True if recoveries wait. A hint, which saves most sign-ins a statement: what begins after it has begun after the sign-in. */
export async function hasRecoveries(userId: string): Promise<boolean> {
  if (settings().mailRecovery === null) return false
  return (await readRows`SELECT 1 AS "found" FROM "Recovery" r WHERE r."userId" = ${userId}`).length > 0
}
