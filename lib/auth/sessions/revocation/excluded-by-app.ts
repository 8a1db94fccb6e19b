import type { Database } from '@/lib/database/client'
import { type Fragment, sql } from '@/lib/database/fragments'
import { referenceOf } from '../../tokens/method-references'
import { endCodesWhere } from './ended-with-credential'

/**
 * Ends what an app was issued for people whom its rules exclude (the same rules: lib/openid/grants/access-rules.ts). For good:
 * otherwise a token that was not used meanwhile would be valid again once the person returns to the group. What is issued or
 * changed beside it is checked by those rules whenever it is used.
 *
 * @param grants a condition on "Grant" as `g`
 * @param leaving a group that the transaction takes away later
 */
export const endOfExcluded = (db: Database, grants: Fragment, leaving = '') =>
  // IN, so that the index of grants finds their codes.
  endCodesWhere(
    db,
    sql`NOT c."ended" AND c."grantId" IN (SELECT g."id" FROM "Grant" g WHERE ${grants})
      AND EXISTS (SELECT 1 FROM "Grant" g JOIN "App" a ON a."id" = g."appId"
        WHERE g."id" = c."grantId" AND (${isOutside(leaving)} OR (a."requirePasskey" AND ${isWithoutPasskey})))`,
  )

/** Not LIKE, in which the underscore of a group's name would stand for any character. */
const isOutside = (leaving: string): Fragment => sql`
  a."groups" <> '' AND NOT EXISTS (SELECT 1 FROM "Membership" m
    WHERE m."userId" = g."userId" AND m."groupName" <> ${leaving}
      AND replace(' ' || a."groups" || ' ', ' ' || m."groupName" || ' ', '') <> ' ' || a."groups" || ' ')`

const isWithoutPasskey = sql`' ' || c."amr" || ' ' NOT LIKE ${`% ${referenceOf('passkey')} %`}`
