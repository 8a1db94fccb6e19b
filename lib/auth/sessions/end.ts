import type { Database } from '@/lib/database/client'
import { type Fragment, sql, statement } from '@/lib/database/sql'
import { recordEvent } from '../events/record'
import type { EventContext } from '../request'
import { referenceOf } from '../tokens/claims'
import { consumptionOfAll } from '../tokens/tokens'

/*
 * A transaction that removes a credential or a session also ends the sessions that the credential opened, and their families of
 * refresh tokens (lib/openid/tokens/refresh-tokens.ts). It ends them for good, since the person may register the passkey again,
 * or set a password. A new epoch ends both by itself. If `Code.amr` has one method reference, this method alone opened the
 * session.
 */

/**
 * Ends the sessions and families that the password opened, unless the account still has one. The session `sid`, which removes
 * the password, stays; its families end.
 */
export const endOfPassword = (db: Database, userId: string, sid: string) => ({
  sessions: endSessionsWhere(db, userId, sql`s."method" = 'pwd' AND s."id" <> ${sid} AND ${hasNoPassword(userId)}`),
  families: endFamiliesWhere(db, userId, sql`c."amr" = ${referenceOf('pwd')} AND ${hasNoPassword(userId)}`),
})

/**
 * Ends the sessions and families that recovery codes opened. The session `sid`, which replaces the codes, stays; its families
 * end.
 */
export const endOfRecoveryCodes = (db: Database, userId: string, sid: string) => ({
  sessions: endSessionsWhere(db, userId, sql`s."method" = 'recovery' AND s."id" <> ${sid}`),
  families: endFamiliesWhere(db, userId, sql`c."amr" = ${referenceOf('recovery')}`),
})

/** Ends the sessions and families that the passkey opened, unless it is still there. */
export const endOfPasskey = (db: Database, userId: string, passkeyId: string) => ({
  sessions: endSessionsWhere(db, userId, sql`s."passkeyId" = ${passkeyId} AND ${isRemoved(passkeyId)}`),
  families: endFamiliesWhere(db, userId, sql`c."passkeyId" = ${passkeyId} AND ${isRemoved(passkeyId)}`),
})

/** Ends the sessions that replaced `rootId`, except `sid`, and all families of that root. */
export const endOfRoot = (db: Database, userId: string, rootId: string, sid: string) => ({
  sessions: endSessionsWhere(db, userId, sql`s."rootId" = ${rootId} AND s."id" <> ${sid}`),
  families: endCodesWhere(db, mayHaveFamily(sql`"rootId" = ${rootId}`)),
})

/**
 * Stops the recoveries by mail of these accounts, in a transaction that has locked the accounts: whoever shows a passkey or a
 * recovery code needs none, and who changes the address must not leave a way in by the former. The letters whose link nobody has
 * pressed go, too, so that whoever has one must ask anew.
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

/** @param condition on "Session" as `s` */
const endSessionsWhere = (db: Database, userId: string, condition: Fragment) =>
  consumptionOfAll(db, sql`SELECT s."id", s."expiresAt" FROM "Session" s WHERE s."userId" = ${userId} AND ${condition}`)

/** @param condition on "Code" as `c` */
const endFamiliesWhere = (db: Database, userId: string, condition: Fragment) =>
  endCodesWhere(
    db,
    sql`${mayHaveFamily(sql`"grantId" IN (SELECT g."id" FROM "Grant" g WHERE g."userId" = ${userId})`)}
      AND c."scopes" LIKE '%offline_access%' AND ${condition}`,
  )

/** How long after its expiry a code can still become a family, by a request that began before. */
const redemptionMilliseconds = 60_000

/**
 * A condition: "Code" as `c` is a family, or may still become one. All other codes end with their session. Written so that an
 * index finds them, since an account may have had thousands of codes lately.
 *
 * @param scope a condition on columns of "Code"
 */
const mayHaveFamily = (scope: Fragment): Fragment => sql`
  c."id" IN (
    SELECT "id" FROM "Code" WHERE ${scope} AND "refreshUntil" > 0
    UNION ALL
    SELECT "id" FROM "Code" WHERE ${scope} AND ${hasNoFamily}
      AND "validUntil" > ${BigInt(Date.now() - redemptionMilliseconds)})`

/* States of "Code", beside those of its columns `ended` and `usedAt`. Its model in the schema lists all that there are. */

/** A condition: the code has a family of refresh tokens, ended or not. */
export const hasFamily: Fragment = sql`"refreshUntil" >= 0`

export const hasNoFamily: Fragment = sql`"refreshUntil" IS NULL`

/**
 * Ends codes and families. The time 0 makes an ended family the first to go if its app has too many; multiplied, a code's NULL
 * stays NULL, which says that it is no family.
 */
export const asEnded: Fragment = sql`"ended" = TRUE, "refreshUntil" = "refreshUntil" * 0`

/** @param condition on "Code" as `c` */
const endCodesWhere = (db: Database, condition: Fragment) =>
  statement(db)`UPDATE "Code" AS c SET ${asEnded} WHERE NOT c."ended" AND ${condition}`

const hasNoPassword = (userId: string) => sql`
  EXISTS (SELECT 1 FROM "User" u WHERE u."id" = ${userId} AND u."passwordHash" IS NULL)`

export const isRemoved = (passkeyId: string) => sql`NOT EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = ${passkeyId})`
