import type { Algorithm } from '@upstash/ratelimit'
import { database } from './database'

/** What our algorithm reads of a bucket: attempts in this window and in the one before. */
interface Bucket {
  count: number
  previous: number
}

/**
 * A sliding window for `@upstash/ratelimit` on the application's own database.
 *
 * Allowed is what keeps `count + weighted previous + 1 <= max`, unrounded, where the previous window weighs less the
 * further this one has gone. Deciding and counting are one statement, so any number of simultaneous attempts gets no
 * more than `max`.
 *
 * @param max attempts in a window
 * @param windowMilliseconds length of a window
 */
export function databaseWindow(max: number, windowMilliseconds: number): Algorithm<unknown> {
  const at = (now: number) => {
    const window = Math.floor(now / windowMilliseconds)
    const elapsed = (now - window * windowMilliseconds) / windowMilliseconds
    return { window, weight: 1 - elapsed, now }
  }
  const used = ({ count, previous }: Bucket, weight: number) => count + previous * weight
  const answer = (bucket: Bucket, success: boolean, { weight, now }: ReturnType<typeof at>) => ({
    success,
    limit: max,
    remaining: Math.max(0, Math.floor(max - used(bucket, weight))),
    reset: now + waitMilliseconds(bucket, max, windowMilliseconds, weight),
    pending: Promise.resolve(),
  })
  return () => ({
    async limit(_context, key, rate = 1) {
      const time = at(Date.now())
      if (rate < 0) await giveBack(key, time.window, -rate)
      const taken = rate < 0 ? null : await take(key, time.window, time.weight, max, windowMilliseconds)
      return answer(taken ?? (await read(key, time.window)), rate < 0 || taken !== null, time)
    },
    async getRemaining(_context, key) {
      const time = at(Date.now())
      return answer(await read(key, time.window), true, time)
    },
    async resetTokens(_context, key) {
      const client = await database()
      await client.$executeRaw`DELETE FROM "RateLimit" WHERE "key" = ${key}`
    },
  })
}

/** A row from a later window than ours (an instance whose clock is ahead) counts as this one: it is never wound back. */
async function take(key: string, window: number, weight: number, max: number, windowMilliseconds: number) {
  const client = await database()
  const current = BigInt(window)
  const expiresAt = BigInt((window + 2) * windowMilliseconds)
  const [bucket] = await client.$queryRaw<Bucket[]>`
    INSERT INTO "RateLimit" ("key", "window", "count", "previous", "expiresAt") VALUES (${key}, ${current}, 1, 0, ${expiresAt})
    ON CONFLICT ("key") DO UPDATE SET
      "count" = CASE WHEN "RateLimit"."window" >= ${current} THEN "RateLimit"."count" + 1 ELSE 1 END,
      "previous" = CASE WHEN "RateLimit"."window" >= ${current} THEN "RateLimit"."previous"
                        WHEN "RateLimit"."window" = ${current - 1n} THEN "RateLimit"."count" ELSE 0 END,
      "window" = CASE WHEN "RateLimit"."window" >= ${current} THEN "RateLimit"."window" ELSE ${current} END,
      "expiresAt" = ${expiresAt}
    WHERE CASE WHEN "RateLimit"."window" >= ${current} THEN "RateLimit"."count" + "RateLimit"."previous" * CAST(${weight} AS DOUBLE PRECISION) + 1
               WHEN "RateLimit"."window" = ${current - 1n} THEN "RateLimit"."count" * CAST(${weight} AS DOUBLE PRECISION) + 1 ELSE 1 END <= ${max}
    RETURNING "count", "previous"`
  return bucket ?? null
}

async function giveBack(key: string, window: number, amount: number) {
  const client = await database()
  await client.$executeRaw`
    UPDATE "RateLimit" SET "count" = "count" - ${amount}
    WHERE "key" = ${key} AND "window" >= ${BigInt(window)} AND "count" >= ${amount}`
}

async function read(key: string, window: number): Promise<Bucket> {
  const client = await database()
  const row = await client.rateLimit.findUnique({ where: { key } })
  if (!row) return { count: 0, previous: 0 }
  if (row.window >= BigInt(window)) return row
  return { count: 0, previous: row.window === BigInt(window - 1) ? row.count : 0 }
}

/** How long until one more attempt is allowed: 0 if it is now; otherwise later in this window, or some way into the next. */
function waitMilliseconds(
  { count, previous }: Bucket,
  max: number,
  windowMilliseconds: number,
  weight: number,
): number {
  if (count + previous * weight + 1 <= max) return 0
  const untilPreviousWeighs = (weightThen: number) => Math.max(0, weight - weightThen) * windowMilliseconds
  if (count + 1 <= max) return untilPreviousWeighs((max - 1 - count) / previous)
  return weight * windowMilliseconds + (1 - Math.max(0, max - 1) / count) * windowMilliseconds
}
