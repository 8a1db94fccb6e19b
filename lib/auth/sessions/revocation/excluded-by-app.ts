import { inBatches } from '@/lib/database/batches'
import { flushed, readRows } from '@/lib/database/direct-sql'
import { type Fragment, list, sql } from '@/lib/database/fragments'
import { referenceOf } from '../../tokens/method-references'
import { asEnded } from './ended-with-credential'

/**
 * Ends what an app was issued for people whom its rules exclude (the same rules: lib/openid/grants/access-rules.ts), once those or
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
