import { inBatches } from '@/lib/database/batches'
import { type Fragment, sql, statement } from '@/lib/database/fragments'
import type { Writer } from './write'

/*
 * Before an account or an app, we delete the rows that it has piled up, a few at a time: in one statement, by foreign keys,
 * they would hold up everybody on the embedded database, and time out on PostgreSQL.
 */

/** @param codes a condition on "Code" as `c` */
export const deleteCodes = (write: Writer, codes: Fragment) =>
  deleteInBatches(
    write,
    (size) => sql`DELETE FROM "Code" WHERE "id" IN (SELECT c."id" FROM "Code" c WHERE ${codes} LIMIT ${size})`,
  )

/** Deletes an account's reached apps but one for each app, by which the app gets its logout. */
export const deleteReachedApps = (write: Writer, userId: string) =>
  deleteInBatches(
    write,
    (size) => sql`
      DELETE FROM "AppSession" WHERE "rootId" IN (
        SELECT r."rootId" FROM "AppSession" r
        WHERE r."userId" = ${userId} AND r."rootId" NOT IN (
          SELECT MIN(k."rootId") FROM "AppSession" k WHERE k."userId" = ${userId} GROUP BY k."appId")
        LIMIT ${size})`,
  )

const deleteInBatches = (write: Writer, deletion: (size: number) => Fragment) =>
  inBatches(
    async (size) => {
      const { deleted } = await write((db) => ({ deleted: statement(db, deletion(size)) }))
      return { isLast: deleted < size }
    },
    // Batches have a least size, because part of their time does not depend on it: the session's checks and the disk.
    { min: 1_000 },
  )
