import { setTimeout as pause } from 'node:timers/promises'
import { connection } from '@/lib/database/client'
import {
  enclosed,
  type Fragment,
  list,
  readRows,
  type SqlInteger,
  type SqlRow,
  sql,
  unflushed,
} from '@/lib/database/sql'
import { log } from '@/lib/process/log'
import { resultWithin } from '@/lib/process/work'
import { type Delivery, isReceiverError, type Outcome, registeredTypes, senderOf } from './senders'

/** The pause between two claims: at most 400 messages a second, however many wait, so that requests come first. */
const pauseMilliseconds = 10

/** Attempts under way. */
const maxAttempts = 16
/** Messages of a claim. */
const maxClaimed = 4
/**
 * A receiver with this many attempts under way gets no more: one that hangs must leave some to the others. A claim can take
 * four messages for a receiver that has three, so at most seven run.
 */
const busyAt = 4

export interface Delivered {
  delivered: number
  failed: number
}

/** Sends the messages that are due, several at a time. A process has one courier. */
export class Courier {
  readonly #claiming: AbortSignal
  readonly #sending: AbortSignal
  readonly #done: Delivered = { delivered: 0, failed: 0 }
  readonly #underWay = new Set<Lease>()
  /** Set by each change that a round should look at: a call of `wake`, or an attempt that has begun or ended */
  readonly #change = new ChangeFlag()
  /** Null between rounds. */
  #round: Promise<void> | null = null
  /** Milliseconds since 1970, after which no attempt begins. */
  #until = 0
  /**
   * The receivers that were busy when a claim found fewer messages than it could take. Until one of them is free, another
   * claim would read every row that waits for them, and find nothing. Null: a claim may find some.
   */
  #exhausted: string[] | null = null

  /** @param signals after `claiming`, no attempt begins; after `sending`, those under way end and release their messages */
  constructor({ claiming, sending }: { claiming: AbortSignal; sending: AbortSignal }) {
    this.#claiming = claiming
    this.#sending = sending
  }

  /**
   * Begins a round, or makes the one under way look again. A round sends due messages until none is left, and begins attempts
   * until the latest `until` of its callers. Callers share one promise, because with a receiver that hangs, a round can last
   * for days.
   *
   * @returns resolves after the last attempt; never rejects
   */
  wake(until: number): Promise<void> {
    this.#until = Math.max(this.#until, until)
    this.#exhausted = null
    this.#change.set()
    // Stored in time, because a round awaits at least once before it ends.
    this.#round ??= this.#deliverAll()
    return this.#round
  }

  /** @returns the attempts that end from now on, until the round does or `maxMilliseconds` have passed */
  async deliver(until: number, maxMilliseconds: number): Promise<Delivered> {
    const { delivered, failed } = this.#done
    await resultWithin(maxMilliseconds, this.wake(until))
    return { delivered: this.#done.delivered - delivered, failed: this.#done.failed - failed }
  }

  /** Resolves when no attempt is under way. */
  get idle(): Promise<void> {
    return this.#round ?? Promise.resolve()
  }

  async #deliverAll(): Promise<void> {
    for (;;) {
      this.#change.clear()
      await this.#beginAttempts()
      if (this.#change.isSet) await pause(pauseMilliseconds)
      else if (this.#underWay.size > 0) await this.#change.wait()
      else break
    }
    // Cleared in the same turn as the last look, so that a later call begins a round of its own.
    this.#round = null
  }

  async #beginAttempts(): Promise<void> {
    if (Date.now() >= this.#until || this.#claiming.aborted) return
    const busy = this.#busyReceivers()
    const room = Math.min(maxClaimed, maxAttempts - this.#underWay.size)
    if (room <= 0 || this.#exhausted?.every((receiver) => busy.includes(receiver))) return
    const claimed = await claim(room, busy).catch((err: unknown): Lease[] => {
      log().warn({ err }, 'could not read the outbox')
      return []
    })
    // Unless something changed meanwhile: then another claim may find more.
    if (claimed.length < room && !this.#change.isSet) this.#exhausted = busy
    for (const lease of claimed) void this.#attempt(lease)
    if (claimed.length > 0) this.#change.set()
  }

  #busyReceivers(): string[] {
    const counts = new Map<string, number>()
    for (const { receiver } of this.#underWay) counts.set(receiver, (counts.get(receiver) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= busyAt).map(([receiver]) => receiver)
  }

  async #attempt(lease: Lease): Promise<void> {
    this.#underWay.add(lease)
    try {
      const sender = senderOf(lease.type)
      const delivery = { ...lease }
      const send = async () => {
        delivery.receiver = (await sender.receiver?.(lease)) ?? lease.receiver
        return sender.send(delivery, this.#sending)
      }
      const outcome = await send().catch(outcomeOfError(delivery))
      if (outcome.result !== 'delivered' && this.#sending.aborted) await release(delivery)
      else await this.#settle(delivery, outcome)
    } catch (err) {
      // Leaves the message: its lease ends, and another attempt sends it.
      log().warn({ err }, 'could not read or store a delivery')
    }
    this.#underWay.delete(lease)
    this.#change.set()
  }

  async #settle(delivery: Lease, outcome: Outcome): Promise<void> {
    this.#done[outcome.result === 'delivered' ? 'delivered' : 'failed'] += 1
    const end = await settle(delivery, outcome)
    if (end === 'failed' && outcome.result !== 'delivered') logFailure(delivery, outcome)
  }
}

/** Remembers that something has changed since `clear()`, and lets one caller at a time wait until something does. */
class ChangeFlag {
  #isSet = false
  #resume = () => {}

  get isSet(): boolean {
    return this.#isSet
  }

  set(): void {
    this.#isSet = true
    this.#resume()
  }

  clear(): void {
    this.#isSet = false
  }

  async wait(): Promise<void> {
    if (this.#isSet) return
    await new Promise<void>((resolve) => {
      this.#resume = resolve
    })
  }
}

type Failure = Exclude<Outcome, { result: 'delivered' }>

const outcomeOfError =
  ({ id, type }: Delivery) =>
  (err: unknown): Outcome => {
    if (isReceiverError(err)) return { result: 'retry', error: err.message }
    log().warn({ err, delivery: id, type }, 'could not send a delivery')
    return { result: 'retry', error: 'an internal error, which the log has' }
  }

function logFailure({ id, type, account }: Delivery, { result, error }: Failure) {
  const what = result === 'gone' ? 'a receiver is gone and gets nothing more' : 'a delivery has failed for good'
  log().error({ delivery: id, type, account, error }, `${what}; npm run accounts -- deliveries retry <id> tries again`)
}

/** Longer than an attempt, so that two processes send the same message only if one of them died or stood still for a while. */
const leaseMilliseconds = 30_000

/** A message that this process may send until then, in milliseconds since 1970. */
export interface Lease extends Delivery {
  until: number
}

/*
 * None of these statements waits for the disk: after a power cut, an attempt sends the message again under the same id. A lease
 * moves `dueAt` to its end, and `attempts` numbers it, starting again when an operator retries. An attempt that outlives its
 * lease finds another number or another end, and leaves the row alone.
 */

/** Takes the lease of at most `max` messages that are due and not for one of the receivers `except`. */
export async function claim(max: number, except: readonly string[]): Promise<Lease[]> {
  const now = Date.now()
  const until = now + leaseMilliseconds
  const { amongUnlocked } = (await connection()).dialect
  const due = sql`
    SELECT d."id" FROM "Delivery" d
    WHERE d."dueAt" <= ${BigInt(now)} AND d."expiresAt" > ${BigInt(now)} AND d."type" IN (${list(registeredTypes())})
      AND d."receiver" NOT IN (${list(except)})
    ORDER BY d."dueAt" LIMIT ${max}`
  const rows = await unflushed.rows<SqlRow<'Delivery', keyof Delivery>>`
    UPDATE "Delivery" SET "attempts" = "attempts" + 1, "dueAt" = ${BigInt(until)}
    WHERE "id" ${enclosed(amongUnlocked, due)}
    RETURNING "id", "type", "receiver", "account", "payload", "createdAt", "attempts", "count"`
  return rows.map((row) => ({ ...row, createdAt: Number(row.createdAt), until }))
}

/** Milliseconds since 1970 of the next attempt that is due; null without any. */
export async function nextDueAt(): Promise<number | null> {
  const [row] = await readRows<{ at: SqlInteger | null }>`
    SELECT MIN(d."dueAt") AS "at" FROM "Delivery" d
    WHERE d."dueAt" IS NOT NULL AND d."expiresAt" > ${BigInt(Date.now())} AND d."type" IN (${list(registeredTypes())})`
  return row?.at == null ? null : Number(row.at)
}

/** Holds until another attempt leases the row, or an operator retries the message. */
const isLeased = ({ id, attempts, until }: Lease): Fragment =>
  sql`"id" = ${id} AND "attempts" = ${attempts} AND "dueAt" = ${BigInt(until)}`

/**
 * Stores how an attempt ended.
 *
 * @returns the message's new state; `superseded` if another attempt or an operator has its row, which then stays as it is
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

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** The waits after the first attempts, and then every six hours for three days. */
const waits = [5 * second, minute, 10 * minute, hour, ...Array.from({ length: 12 }, () => 6 * hour)]

/** Milliseconds until the next attempt; null after the last. */
export const waitAfter = (attempts: number): number | null => waits[attempts - 1] ?? null
