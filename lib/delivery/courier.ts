import { setTimeout as pause } from 'node:timers/promises'
import { log } from '@/lib/process/log'
import { resultWithin } from '@/lib/process/result-within'
import { ChangeFlag } from './change-flag'
import { claim, type Lease, release, settle } from './leases'
import { isReceiverError } from './receiver-error'
import { type Delivery, type Outcome, senderOf } from './senders'

/** Between two claims: at most 400 messages a second, however many wait, so that requests come first. */
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

/** Sends what is due, several at a time. A process has one. */
export class Courier {
  readonly #claiming: AbortSignal
  readonly #sending: AbortSignal
  readonly #done: Delivered = { delivered: 0, failed: 0 }
  readonly #underWay = new Set<Lease>()
  /** Set by what a round should look at: a call of `wake`, or an attempt that has begun or ended. */
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

  /** After `claiming`, no attempt begins; after `sending`, those under way end and are released. */
  constructor({ claiming, sending }: { claiming: AbortSignal; sending: AbortSignal }) {
    this.#claiming = claiming
    this.#sending = sending
  }

  /**
   * Begins a round, or makes the one under way look again. A round sends what is due until nothing is left, and begins
   * attempts until the latest `until` of its callers. They share one promise: with a receiver that hangs, a round can last
   * for days.
   *
   * @returns resolves after the last attempt; never rejects
   */
  wake(until: number): Promise<void> {
    this.#until = Math.max(this.#until, until)
    this.#exhausted = null
    this.#change.set()
    // A round awaits at least once, so it does not end before it is stored here.
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
    // In the same turn as the last look: a later call begins a round of its own.
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
    // After a change meanwhile, another claim may find more.
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
      // The lease ends, and the message is sent again.
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
