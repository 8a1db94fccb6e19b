import { inBatches, type Pace } from './batches'

const dayMilliseconds = 86_400_000
const eventRetentionMilliseconds = 90 * dayMilliseconds
/** Keeps the log of operators this long, because an auditor asks about the year that has ended. */
const operatorLogMilliseconds = 400 * dayMilliseconds
/** Keeps a key this long after its last token: apps show an expired ID token to say whose session they mean. */
const hintRetentionMilliseconds = 180 * dayMilliseconds

/** Rows here go as soon as their `expiresAt` has passed. */
const expiringTables = [
  ...['ConsumedToken', 'RateLimit', 'FailureStreak', 'Code', 'DeviceRequest', 'AppSession', 'Delivery', 'EmailCode'],
  ...['Recovery', 'RetiredUsername', 'Session', 'RecoveryCode', 'Invitation'],
]

const tables = [
  ...expiringTables.map((table) => ({ table, time: 'expiresAt', keptMilliseconds: 0 })),
  { table: 'SigningKey', time: 'expiresAt', keptMilliseconds: hintRetentionMilliseconds },
  { table: 'OperatorLog', time: 'at', keptMilliseconds: operatorLogMilliseconds },
  { table: 'Event', time: 'at', keptMilliseconds: eventRetentionMilliseconds },
]

/**
 * Returns the time before which events count as gone, though the purge may not have deleted them yet, in milliseconds since 1970.
 */
export const oldestKeptEvent = () => BigInt(Date.now() - eventRetentionMilliseconds)

/** Rows of `table` whose `time` is less than `before`. */
export type Expired = { table: string; time: string; before: bigint }

export const expiredAt = (now: number): Expired[] =>
  tables.map(({ table, time, keptMilliseconds }) => ({ table, time, before: BigInt(now - keptMilliseconds) }))

/** Removes the oldest rows first. */
interface Remover {
  pace: Partial<Pace>
  /** @returns the number of removed rows, at most `max` */
  remove: (rows: Expired, max: number) => Promise<number>
}

/** Works in batches. `signal` stops after the current one. */
export async function removeExpired({ pace, remove }: Remover, now: number, signal?: AbortSignal): Promise<void> {
  for (const rows of expiredAt(now))
    await inBatches(async (size) => ({ isLast: (await remove(rows, size)) < size }), pace, signal)
}
