import { inBatches } from '@/lib/database/batches'
import type { Database } from '@/lib/database/client'
import { flushed, readRows } from '@/lib/database/direct-sql'
import { type Fragment, list, sql, statement } from '@/lib/database/fragments'
import { referenceOf } from '../tokens/claims'
import { consumptionOfAll } from '../tokens/consumed-tokens'

/*
 * What ends in the transaction that removes a credential or a session: the sessions that it opened, and their families of
 * refresh tokens (lib/openid/issued/refresh-tokens.ts). For good: a passkey may be registered again, and a password set. A new epoch
 * ends both by itself. A `Code.amr` of one method reference is that of a session that this method alone opened.
 */

/**
 * Ends what the password opened, unless the account still has one. The session `sid`, which removes the password, stays; its
 * families end.
 */
export const endOfPassword = (db: Database, userId: string, sid: string) => ({
  sessions: endSessionsWhere(db, userId, sql`s."method" = 'pwd' AND s."id" <> ${sid} AND ${hasNoPassword(userId)}`),
  families: endFamiliesWhere(db, userId, sql`c."amr" = ${referenceOf('pwd')} AND ${hasNoPassword(userId)}`),
})

/** Ends what recovery codes opened. The session `sid`, which replaces the codes, stays; its families end. */
export const endOfRecoveryCodes = (db: Database, userId: string, sid: string) => ({
  sessions: endSessionsWhere(db, userId, sql`s."method" = 'recovery' AND s."id" <> ${sid}`),
  families: endFamiliesWhere(db, userId, sql`c."amr" = ${referenceOf('recovery')}`),
})

/** Ends what the passkey opened, unless it is still there. */
export const endOfPasskey = (db: Database, userId: string, passkeyId: string) => ({
  sessions: endSessionsWhere(db, userId, sql`s."passkeyId" = ${passkeyId} AND ${isRemoved(passkeyId)}`),
  families: endFamiliesWhere(db, userId, sql`c."passkeyId" = ${passkeyId} AND ${isRemoved(passkeyId)}`),
})

/** Ends the sessions that replaced `rootId`, except `sid`, and all families of that root. */
export const endOfRoot = (db: Database, userId: string, rootId: string, sid: string) => ({
  sessions: endSessionsWhere(db, userId, sql`s."rootId" = ${rootId} AND s."id" <> ${sid}`),
  families: endCodesWhere(db, mayHaveFamily(sql`"rootId" = ${rootId}`)),
})

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

/** How late after its time a code can become a family: that request has begun before. */
const redemptionMilliseconds = 60_000

/**
 * Whether "Code" as `c` is a family, or one may begin from it yet. All other codes end with their session. In this form an index
 * finds them: an account may have had thousands of codes lately.
 *
 * @param scope a condition on columns of "Code"
 */
const mayHaveFamily = (scope: Fragment): Fragment => sql`
  c."id" IN (
    SELECT "id" FROM "Code" WHERE ${scope} AND "refreshUntil" > 0
    UNION ALL
    SELECT "id" FROM "Code" WHERE ${scope} AND "refreshUntil" IS NULL
      AND "validUntil" > ${BigInt(Date.now() - redemptionMilliseconds)})`

/** The time 0 makes an ended family the first to be removed, if its app has too many. */
export const asEnded: Fragment = sql`"ended" = TRUE, "refreshUntil" = "refreshUntil" * 0`

/** @param condition on "Code" as `c` */
const endCodesWhere = (db: Database, condition: Fragment) =>
  statement(db, sql`UPDATE "Code" AS c SET ${asEnded} WHERE NOT c."ended" AND ${condition}`)

const hasNoPassword = (userId: string) => sql`
  EXISTS (SELECT 1 FROM "User" u WHERE u."id" = ${userId} AND u."passwordHash" IS NULL)`

export const isRemoved = (passkeyId: string) => sql`NOT EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = ${passkeyId})`

/**
 * Ends what an app was issued for people whom its rules exclude (the same rules: lib/openid/grants/grants.ts), once those or
 * the people's groups have changed. For good: otherwise a token that was not used meanwhile would be valid again once the person
 * returns to the group. Until then, and what is issued beside it, is checked by those rules whenever it is used.
 *
 * A few at a time, read before they are written: reading all that was issued for an app would hold SQLite's write lock for seconds.
 *
 * @param grants a condition on "Grant" as `g`
 */
export async function endExcluded(grants: Fragment): Promise<void> {
  let after = ''
  await inBatches(async (size) => {
    const found = await readRows<{ id: string }>`
      SELECT c."id" FROM "Code" c WHERE c."id" > ${after} AND ${isExcluded(grants)} ORDER BY c."id" LIMIT ${size}`
    const ids = list(found.map(({ id }) => id))
    const started = performance.now()
    // A person may have returned to the group since they were read.
    await flushed.changes`UPDATE "Code" AS c SET ${asEnded} WHERE c."id" IN (${ids}) AND ${isExcluded(grants)}`
    after = found.at(-1)?.id ?? after
    return { isLast: found.length < size, lockMilliseconds: performance.now() - started }
  })
}

const isExcluded = (grants: Fragment): Fragment => sql`
  NOT c."ended" AND c."grantId" IN (SELECT g."id" FROM "Grant" g WHERE ${grants})
    AND EXISTS (SELECT 1 FROM "Grant" g JOIN "App" a ON a."id" = g."appId"
      WHERE g."id" = c."grantId" AND (${isOutside} OR (a."requirePasskey" AND ${isWithoutPasskey})))`

/** Not LIKE, in which the underscore of a group's name would stand for any character. */
const isOutside: Fragment = sql`
  a."groups" <> '' AND NOT EXISTS (SELECT 1 FROM "Membership" m
    WHERE m."userId" = g."userId"
      AND replace(' ' || a."groups" || ' ', ' ' || m."groupName" || ' ', '') <> ' ' || a."groups" || ' ')`

const isWithoutPasskey = sql`' ' || c."amr" || ' ' NOT LIKE ${`% ${referenceOf('passkey')} %`}`
