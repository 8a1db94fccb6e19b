import { connection } from '@/lib/database/client'
import { readRows, type SqlInteger, unflushed } from '@/lib/database/direct-sql'
import { enclosed, type Fragment, list, sql } from '@/lib/database/fragments'
import { waitAfter } from './backoff'
import { type Delivery, type Outcome, registeredTypes } from './senders'

/** Longer than an attempt, so that two processes send the same only if one of them was killed or stopped for a while. */
const leaseMilliseconds = 30_000

/** A message that this process may send until then, in milliseconds since 1970. */
export interface Lease extends Delivery {
  until: number
}

/*
 * None of these statements waits for the disk: what a power cut undoes is sent again under the same id. A lease moves `dueAt`
 * to its end and is numbered by `attempts`, which starts again when an operator retries: an attempt that outlives its lease
 * finds another number or another end, and leaves the row alone.
 */

/** Takes the lease of at most `max` messages that are due and not for one of the receivers `except`. */
export async function claim(max: number, except: readonly string[]): Promise<Lease[]> {
  const now = Date.now()
  const until = now + leaseMilliseconds
  const { amongUnlocked } = (await connection()).dialect
  const due = sql`
    SELECT d."id" FROM "Delivery" d
    WHERE d."dueAt" <= ${BigInt(now)} AND d."type" IN (${list(registeredTypes())})
      AND d."receiver" NOT IN (${list(except)})
    ORDER BY d."dueAt" LIMIT ${max}`
  const rows = await unflushed.rows<Omit<Delivery, 'createdAt'> & { createdAt: SqlInteger }>`
    UPDATE "Delivery" SET "attempts" = "attempts" + 1, "dueAt" = ${BigInt(until)}
    WHERE "id" ${enclosed(amongUnlocked, due)}
    RETURNING "id", "type", "receiver", "account", "payload", "createdAt", "attempts"`
  return rows.map((row) => ({ ...row, createdAt: Number(row.createdAt), until }))
}

/** Milliseconds since 1970 of the next attempt that is due; null without any. */
export async function nextDueAt(): Promise<number | null> {
  const [row] = await readRows<{ at: SqlInteger | null }>`
    SELECT MIN(d."dueAt") AS "at" FROM "Delivery" d WHERE d."dueAt" IS NOT NULL AND d."type" IN (${list(registeredTypes())})`
  return row?.at == null ? null : Number(row.at)
}

/** Holds until another attempt leases the row, or an operator retries the message. */
const isLeased = ({ id, attempts, until }: Lease): Fragment =>
  sql`"id" = ${id} AND "attempts" = ${attempts} AND "dueAt" = ${BigInt(until)}`

/**
 * Stores how an attempt ended.
 *
 * @returns what the message is now: `superseded` if another attempt or an operator has its row, which is left alone
 */
export async function settle(
  lease: Lease,
  outcome: Outcome,
): Promise<'delivered' | 'waiting' | 'failed' | 'superseded'> {
  const { id, attempts, receiver } = lease
  if (outcome.result === 'delivered') {
    await unflushed.changes`DELETE FROM "Delivery" WHERE "id" = ${id}`
    return 'delivered'
  }
  const { result, error } = outcome
  const wait = result === 'retry' ? waitAfter(attempts) : null
  const dueAt = wait === null ? null : BigInt(Date.now() + wait)
  const changed = await unflushed.changes`
    UPDATE "Delivery" SET "dueAt" = ${dueAt}, "error" = ${error}, "receiver" = ${receiver}, "gone" = ${result === 'gone'}
    WHERE ${isLeased(lease)}`
  if (changed === 0) return 'superseded'
  if (result === 'gone')
    await unflushed.changes`
      UPDATE "Delivery" SET "dueAt" = ${null}, "error" = ${error}
      WHERE "receiver" = ${receiver} AND "dueAt" IS NOT NULL`
  return dueAt === null ? 'failed' : 'waiting'
}

/** Ends a lease early, without counting its attempt. */
export const release = (lease: Lease) => unflushed.changes`
  UPDATE "Delivery" SET "attempts" = "attempts" - 1, "dueAt" = ${BigInt(Date.now())} WHERE ${isLeased(lease)}`
