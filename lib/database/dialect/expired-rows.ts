import { inBatches, type Pace } from '../batches'

export const eventRetentionMilliseconds = 90 * 86_400_000
/** Keeps the log of operators so long, because an auditor asks about the year that has ended. */
const operatorLogMilliseconds = 400 * 86_400_000
/** Keeps a key so long after its last token: apps show an expired ID token to say whose session they mean. */
const hintRetentionMilliseconds = 180 * 86_400_000

const tables = [
  { table: 'ConsumedToken', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'RateLimit', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'FailureStreak', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'Code', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'DeviceRequest', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'AppSession', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'SigningKey', time: 'expiresAt', keptMilliseconds: hintRetentionMilliseconds },
  { table: 'Delivery', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'EmailCode', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'Recovery', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'RetiredUsername', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'Session', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'RecoveryCode', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'Invitation', time: 'expiresAt', keptMilliseconds: 0 },
  { table: 'OperatorLog', time: 'at', keptMilliseconds: operatorLogMilliseconds },
  { table: 'Event', time: 'at', keptMilliseconds: eventRetentionMilliseconds },
] as const

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
