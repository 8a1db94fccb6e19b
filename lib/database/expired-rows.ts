import { inBatches, type Pace } from './batches'

export const eventRetentionMilliseconds = 90 * 86_400_000

/** What is removed once its time is over: expired tokens, session records, rate limits, streaks of failures, and old events. */
const tables = [
  { table: 'SpentToken', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'RateLimit', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'FailureStreak', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'Session', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'Event', time: 'at', keptMilliseconds: eventRetentionMilliseconds },
] as const

type Table = (typeof tables)[number]

/** How a database removes the oldest rows: at most `$2` of those before `$1`. */
export interface Remover {
  statement: (table: Table) => string
  pace: Partial<Pace>
  /** @returns the number of rows */
  execute: (sql: string, before: bigint, most: number) => Promise<number>
}

/** The index on the time has the row's number, so that no key is looked up. */
export const sqliteStatement = ({ table, time }: Table) =>
  `DELETE FROM "${table}" WHERE "rowid" IN
    (SELECT "rowid" FROM "${table}" WHERE "${time}" < ? ORDER BY "${time}" LIMIT ?)`

/**
 * The lock makes it leave a row that a request renews meanwhile, and two instances share the rows instead of waiting for
 * each other. An array, because a subquery under a join could run several times and lock other rows each time.
 */
export const postgresStatement = ({ table, time }: Table) =>
  `DELETE FROM "${table}" WHERE "ctid" = ANY(ARRAY
    (SELECT "ctid" FROM "${table}" WHERE "${time}" < $1 ORDER BY "${time}" LIMIT $2 FOR UPDATE SKIP LOCKED))`

/** Removes what has expired at `now`, in batches. @param signal ends it after the batch that is under way */
export async function removeExpired(remover: Remover, now: number, signal?: AbortSignal): Promise<void> {
  for (const table of tables) {
    const sql = remover.statement(table)
    const before = BigInt(now - table.keptMilliseconds)
    const removeRows = async (size: number) => (await remover.execute(sql, before, size)) >= size
    await inBatches(removeRows, remover.pace, signal)
  }
}

/** Queries, one of which gives a row if anything has expired at `now`. */
export const expiredRows = (now: number) =>
  tables.map(({ table, time, keptMilliseconds }) => ({
    sql: `SELECT 1 FROM "${table}" WHERE "${time}" < ? LIMIT 1`,
    before: BigInt(now - keptMilliseconds),
  }))
