import { inBatches, type Pace } from '../batches'

export const eventRetentionMilliseconds = 90 * 86_400_000

/** What is removed once its time is over: expired tokens, session records, rate limits, streaks of failures, and old events. */
const tables = [
  { table: 'SpentToken', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'RateLimit', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'FailureStreak', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'Session', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'Event', time: 'at', keptMilliseconds: eventRetentionMilliseconds },
] as const

/** The rows of `table` that have expired: those whose `time` is less than `before`. */
export type Expired = { table: string; time: string; before: bigint }

/** What has expired at `now`. */
export const expiredAt = (now: number): Expired[] =>
  tables.map(({ table, time, keptMilliseconds }) => ({ table, time, before: BigInt(now - keptMilliseconds) }))

/** How a database removes the oldest rows. */
export interface Remover {
  pace: Partial<Pace>
  /** @returns the number of rows, at most `most` */
  remove: (rows: Expired, most: number) => Promise<number>
}

/** Removes what has expired at `now`, in batches. @param signal ends it after the batch that is under way */
export async function removeExpired({ pace, remove }: Remover, now: number, signal?: AbortSignal): Promise<void> {
  for (const rows of expiredAt(now)) await inBatches(async (size) => (await remove(rows, size)) >= size, pace, signal)
}
