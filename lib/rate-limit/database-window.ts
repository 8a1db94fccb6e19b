import type { Algorithm } from '@upstash/ratelimit'
import type { database } from '@/lib/database/client'
import { type Bucket, waitMilliseconds, windowAt } from './sliding-window'

type Open = typeof database

/**
 * A sliding window for `@upstash/ratelimit` on the application's own database.
 *
 * Allowed is what keeps `count + weighted previous + 1 <= max`, unrounded, where the previous window weighs less the
 * further this one has gone. Deciding and counting are one statement, so any number of simultaneous attempts gets no
 * more than `max`.
 *
 * @param open gives the database client
 * @param max attempts in a window
 * @param windowMilliseconds length of a window
 */
export function databaseSlidingWindow(open: Open, max: number, windowMilliseconds: number): Algorithm<unknown> {
  const at = (now: number) => windowAt(now, windowMilliseconds)
  const used = ({ count, previous }: Bucket, weight: number) => count + previous * weight
  const answer = (bucket: Bucket, success: boolean, { weight, now }: ReturnType<typeof at>) => ({
    success,
    limit: max,
    remaining: Math.max(0, Math.floor(max - used(bucket, weight))),
    reset: now + waitMilliseconds(bucket, max - 1, windowMilliseconds, weight),
    pending: Promise.resolve(),
  })
  return () => ({
    async limit(_context, key, rate = 1) {
      const time = at(Date.now())
      const bucket = await (rate < 0
        ? refund(open, key, time.window, -rate)
        : consume(open, key, time.window, time.weight, max, windowMilliseconds))
      return answer(bucket ?? (await read(open, key, time.window)), rate < 0 || bucket !== null, time)
    },
    async getRemaining(_context, key) {
      const time = at(Date.now())
      return answer(await read(open, key, time.window), true, time)
    },
    async resetTokens(_context, key) {
      const db = await open()
      await db.$executeRaw`DELETE FROM "RateLimit" WHERE "key" = ${key}`
    },
  })
}

/** A row from a later window than ours (an instance whose clock is ahead) counts as this one: it is never wound back. */
async function consume(
  open: Open,
  key: string,
  window: number,
  weight: number,
  max: number,
  windowMilliseconds: number,
) {
  const db = await open()
  const current = BigInt(window)
  const expiresAt = BigInt((window + 2) * windowMilliseconds)
  const [bucket] = await db.$queryRaw<Bucket[]>`
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

async function refund(open: Open, key: string, window: number, amount: number) {
  const db = await open()
  const [bucket] = await db.$queryRaw<Bucket[]>`
    UPDATE "RateLimit" SET "count" = "count" - ${amount}
    WHERE "key" = ${key} AND "window" >= ${BigInt(window)} AND "count" >= ${amount}
    RETURNING "count", "previous"`
  return bucket ?? null
}

async function read(open: Open, key: string, window: number): Promise<Bucket> {
  const db = await open()
  const row = await db.rateLimit.findUnique({ where: { key } })
  if (!row) return { count: 0, previous: 0 }
  if (row.window >= BigInt(window)) return row
  return { count: 0, previous: row.window === BigInt(window - 1) ? row.count : 0 }
}
