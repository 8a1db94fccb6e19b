import { type DirectSql, unflushed } from '@/lib/database/direct-sql'
import {
  type Bucket,
  type RateLimit,
  type RateLimitStore,
  type WindowPosition,
  waitMilliseconds,
  windowAt,
} from './store'

/**
 * Keeps a sliding window in the application's database: allows an attempt while `count + weighted previous + 1 <= max`,
 * unrounded. The weight of the previous window falls as the current one passes.
 */
export function databaseStore(
  { name, max, windowMilliseconds }: RateLimit,
  statements: DirectSql = unflushed,
): RateLimitStore {
  const currentTime = () => windowAt(Date.now(), windowMilliseconds)
  async function retryAt(unprefixed: string): Promise<number> {
    const time = currentTime()
    const bucket = await read(statements, `${name}:${unprefixed}`, time)
    return time.now + waitMilliseconds(bucket, max - 1, windowMilliseconds, time.weight)
  }
  return {
    async consume(unprefixed) {
      const key = `${name}:${unprefixed}`
      const time = currentTime()
      return {
        success: await count(statements, key, { time, max, expiresAt: (time.window + 2) * windowMilliseconds }),
        retryAt: () => retryAt(unprefixed),
        async refund() {
          // A later window did not count this attempt, and a refund there would allow one too many.
          if (currentTime().window === time.window) await uncount(statements, key, time)
        },
        async reset() {
          await statements.changes`DELETE FROM "RateLimit" WHERE "key" = ${key}`
        },
      }
    },
    retryAt,
  }
}

/**
 * Decides and counts in one statement, so concurrent attempts never exceed `max`. A row of a later window (an instance
 * whose clock is ahead) counts as the current one and is never set back. False: not allowed, not counted.
 */
async function count(
  statements: DirectSql,
  key: string,
  { time: { window, weight }, max, expiresAt }: { time: WindowPosition; max: number; expiresAt: number },
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
  const [row] = await statements.rows<Bucket & { window: number | string }>`
    SELECT r."window", r."count", r."previous" FROM "RateLimit" r WHERE r."key" = ${key}`
  if (!row) return { count: 0, previous: 0 }
  if (Number(row.window) >= window) return row
  return { count: 0, previous: Number(row.window) === window - 1 ? row.count : 0 }
}
