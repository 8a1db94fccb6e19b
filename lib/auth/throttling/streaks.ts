import { readRows, unflushed } from '@/lib/database/sql'
import { usernameKey } from '../account'
import { dayMilliseconds } from '../time'
import { bestEffortWrite, subjectDigest } from './attempts'

/* Streaks: failures in a row, which only a success ends, and no window of time. */

/** NIST SP 800-63B-4 section 3.2.2 allows at most this many failures in a row. */
export const longestStreak = 100
const keptMilliseconds = 90 * dayMilliseconds

/** From unknown browsers, whether or not the account exists. */
export const streakOfUsername = (username: string) => subjectDigest(`streak/username/${usernameKey(username)}`)

export const streakOfDevice = (device: string) => subjectDigest(`streak/device/${device}`)

interface StreakAttempt {
  /** Attempts in a row that failed or are pending, this one included. */
  count: number
  /** Takes back an attempt that did not happen, or that succeeded without ending the streak. */
  refund(): Promise<void>
  keep(): Promise<void>
  reset(): Promise<void>
}

/** Counts before the attempt, in one statement: no more concurrent attempts than the limit get through. */
export async function extendStreak(key: string): Promise<StreakAttempt> {
  const now = BigInt(Date.now())
  const [row] = await unflushed.rows<{ count: number }>`
    INSERT INTO "FailureStreak" ("key", "count", "expiresAt") VALUES (${key}, 1, ${expiry()})
    ON CONFLICT ("key") DO UPDATE SET
      "count" = CASE WHEN "FailureStreak"."expiresAt" > ${now} THEN "FailureStreak"."count" + 1 ELSE 1 END,
      "expiresAt" = CASE WHEN "FailureStreak"."expiresAt" > ${now} THEN "FailureStreak"."expiresAt"
                         ELSE excluded."expiresAt" END
    RETURNING "count"`
  return {
    count: row?.count ?? Number.NaN,
    // Lets a row without failures expire at once.
    refund: () =>
      bestEffortWrite(
        () => unflushed.changes`
          UPDATE "FailureStreak" SET "count" = "count" - 1,
            "expiresAt" = CASE WHEN "count" > 1 THEN "expiresAt" ELSE 0 END
          WHERE "key" = ${key} AND "count" >= 1`,
      ),
    keep: () =>
      bestEffortWrite(
        () => unflushed.changes`UPDATE "FailureStreak" SET "expiresAt" = ${expiry()} WHERE "key" = ${key}`,
      ),
    reset: () => endStreak(key),
  }
}

export async function readStreak(key: string): Promise<number> {
  const [row] = await readRows<{ count: number }>`
    SELECT s."count" FROM "FailureStreak" s WHERE s."key" = ${key} AND s."expiresAt" > ${BigInt(Date.now())}`
  return row?.count ?? 0
}

/** Ends a streak. Call it when the owner has signed in: from a known browser, with a passkey or with a recovery code. */
export const endStreak = (key: string): Promise<void> =>
  bestEffortWrite(() => unflushed.changes`DELETE FROM "FailureStreak" WHERE "key" = ${key}`)

const expiry = () => BigInt(Date.now() + keptMilliseconds)
