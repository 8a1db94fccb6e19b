import { type DirectSql, type SqlRow, unflushed } from '@/lib/database/sql'
import {
  type Bucket,
  type RateLimit,
  type RateLimitStore,
  type WindowPosition,
  waitMilliseconds,
  windowAt,
} from './store'

/** Counts in a table of the application's database, by the rule of the library that counts in Redis, but unrounded. */
export function databaseStore(
  { name, max, windowMilliseconds }: RateLimit,
  statements: DirectSql = unflushed,
): RateLimitStore {
  const rowKey = (key: string) => `${name}:${key}`
  const currentPosition = () => windowAt(Date.now(), windowMilliseconds)
  async function retryAt(key: string): Promise<number> {
    const position = currentPosition()
    const bucket = await read(statements, rowKey(key), position)
    return position.now + waitMilliseconds(bucket, { max, windowMilliseconds }, position)
  }
  return {
    async consume(key) {
      const position = currentPosition()
      const expiresAt = (position.window + 2) * windowMilliseconds
      return {
        success: await count(statements, rowKey(key), { position, max, expiresAt }),
        retryAt: () => retryAt(key),
        async refund() {
          // A later window did not count this attempt, and a refund there would allow one too many.
          if (currentPosition().window === position.window) await uncount(statements, rowKey(key), position)
        },
        async reset() {
          await statements.changes`DELETE FROM "RateLimit" WHERE "key" = ${rowKey(key)}`
        },
      }
    },
    retryAt,
  }
}

/**
 * Counts an attempt if `count + previous * weight + 1` is at most `max`; the weight of the previous window falls as the current
 * one passes. Decides and counts in one statement, so that concurrent attempts never exceed `max`. A row of a later window, which
 * an instance whose clock is ahead has written, counts as the current one and is never set back.
 *
 * @returns false if the attempt is not allowed, and so not counted
 */
async function count(
  statements: DirectSql,
  key: string,
  { position: { window, weight }, max, expiresAt }: { position: WindowPosition; max: number; expiresAt: number },
): Promise<boolean> {
  const current = BigInt(window)
  const changed = await statements.changes`
    INSERT INTO "RateLimit" ("key", "window", "count", "previous", "expiresAt")
    VALUES (${key}, ${current}, 1, 0, ${BigInt(expiresAt)})
    ON CONFLICT ("key") DO UPDATE SET
      "count" = CASE WHEN "RateLimit"."window" >= ${current} THEN "RateLimit"."count" + 1 ELSE 1 END,
      "previous" = CASE WHEN "RateLimit"."window" >= ${current} THEN "RateLimit"."previous"
                        WHEN "RateLimit"."window" = ${current - 1n} THEN "RateLimit"."count" ELSE 0 END,
      "window" = CASE WHEN "RateLimit"."window" >= ${current} THEN "RateLimit"."window" ELSE ${current} END,
      "expiresAt" = CASE WHEN "RateLimit"."window" > ${current} THEN "RateLimit"."expiresAt" ELSE excluded."expiresAt" END
    WHERE CASE WHEN "RateLimit"."window" >= ${current}
               THEN "RateLimit"."count" + "RateLimit"."previous" * CAST(${weight} AS DOUBLE PRECISION) + 1
               WHEN "RateLimit"."window" = ${current - 1n}
               THEN "RateLimit"."count" * CAST(${weight} AS DOUBLE PRECISION) + 1 ELSE 1 END <= ${max}`
  return changed === 1
}

async function uncount(statements: DirectSql, key: string, { window }: WindowPosition): Promise<void> {
  await statements.changes`
    UPDATE "RateLimit" SET "count" = "count" - 1
    WHERE "key" = ${key} AND "window" >= ${BigInt(window)} AND "count" >= 1`
}

async function read(statements: DirectSql, key: string, { window }: WindowPosition): Promise<Bucket> {
  const [row] = await statements.rows<SqlRow<'RateLimit', 'window' | 'count' | 'previous'>>`
    SELECT r."window", r."count", r."previous" FROM "RateLimit" r WHERE r."key" = ${key}`
  if (!row) return { count: 0, previous: 0 }
  if (Number(row.window) >= window) return row
  return { count: 0, previous: Number(row.window) === window - 1 ? row.count : 0 }
}
