import { inBatches } from '@/lib/database/batches'
import { type Fragment, flushed, hasWord, list, readRows, type SqlRow, sql } from '@/lib/database/sql'
import { referenceOf } from '../tokens/claims'
import { asEnded } from './end'

/*
 * An app's rules for who may use it: its groups, and whether they must sign in with a passkey. They stand here twice, for one
 * person at each use, and in SQL for everybody after a change.
 */

export interface Grouped {
  groups: readonly string[]
}

/** True for a member of one of the groups, and for everybody without any. */
export const isAdmitted = ({ groups }: Grouped, person: Grouped) =>
  groups.length === 0 || groups.some((group) => person.groups.includes(group))

/** Finds the app's rule that excludes a person who signed in by these methods (RFC 8176); null without one. */
export function obstacleOfRules(
  app: Grouped & { requirePasskey: boolean },
  person: Grouped,
  amr: readonly string[],
): 'not_a_member' | 'passkey_required' | null {
  if (!isAdmitted(app, person)) return 'not_a_member'
  return app.requirePasskey && !amr.includes(referenceOf('passkey')) ? 'passkey_required' : null
}

/**
 * Revokes an app's codes and tokens for people whom its rules no longer admit, after a change of the rules or of the people's
 * groups. For good: otherwise a token that nobody used meanwhile would be valid again once the person returns to the group. Until
 * this has run, every use of a token checks the rules.
 *
 * Takes a few codes at a time, and reads them before it writes: reading all codes of an app would hold SQLite's write lock for
 * seconds.
 *
 * @param grants a condition on "Grant" as `g`
 */
export async function endExcluded(grants: Fragment): Promise<void> {
  let after = ''
  await inBatches(async (size) => {
    const found = await readRows<SqlRow<'Code', 'id'>>`
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

/** A condition: the person is in none of the app's groups. */
const isOutside: Fragment = sql`
  a."groups" <> '' AND NOT EXISTS (SELECT 1 FROM "Membership" m
    WHERE m."userId" = g."userId" AND ${hasWord(sql`a."groups"`, sql`m."groupName"`)})`

const isWithoutPasskey = sql`NOT ${hasWord(sql`c."amr"`, referenceOf('passkey'))}`
