import { setTimeout as pause } from 'node:timers/promises'
import { holdsWithin } from '@/lib/process/holds-within'
import { log } from '@/lib/process/log'
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
 * A receiver with so many attempts under way gets no more, since one that hangs must leave some to the others. A claim can
 * take four for a receiver with three, so at most seven run.
 */
const busyAt = 4

/** Attempts by their outcome. */
export interface Delivered {
  delivered: number
  failed: number
}

/** Sends what is due, several at a time. A process has one. */
export class Courier {
  readonly #claiming: AbortSignal
  readonly #sending: AbortSignal
  readonly #done: Delivered = { delivered: 0, failed: 0 }
  /** The receivers of the attempts under way. */
  readonly #receivers = new Map<symbol, string>()
  /** The one under way, or the last. */
  #round = Promise.resolve()
  #isRunning = false
  /** Milliseconds since 1970, after which no attempt begins. */
  #until = 0
  #hasMore = false
  /**
   * The receivers that were busy when a claim found fewer messages than it could take: until one of them is free, another
   * would find none, and read every row that waits for them to see it. Null: a claim may find some.
   */
  #exhausted: string[] | null = null
  /** Whether anything has changed since a round last looked; `#resume` ends its wait. */
  #hasChanged = false
  #resume = () => {}

  /** After `claiming`, no attempt begins; after `sending`, those under way end and are released. */
  constructor({ claiming, sending }: { claiming: AbortSignal; sending: AbortSignal }) {
    this.#claiming = claiming
    this.#sending = sending
  }

  /**
   * Begins a round, or has the one under way look again. It sends what is due until nothing is, and begins attempts until
   * the latest `until` of its calls. They share one promise: beside a receiver that hangs, a round can last for days.
   *
   * @returns resolves after the last attempt; never rejects
   */
  wake(until: number): Promise<void> {
    this.#until = Math.max(this.#until, until)
    this.#hasMore = true
    this.#change()
    if (!this.#isRunning) {
      this.#isRunning = true
      this.#round = this.#deliverAll()
    }
    return this.#round
  }

  /** @returns the attempts that end from now on, until the round does or `maxMilliseconds` have passed */
  async deliver(until: number, maxMilliseconds: number): Promise<Delivered> {
    const { delivered, failed } = this.#done
    await holdsWithin(maxMilliseconds, () => this.wake(until).then(() => true))
    return { delivered: this.#done.delivered - delivered, failed: this.#done.failed - failed }
  }

  /** Resolves when no attempt is under way. */
  get idle(): Promise<void> {
    return this.#round
  }

  async #deliverAll(): Promise<void> {
    for (;;) {
      this.#hasChanged = false
      if (Date.now() < this.#until && !this.#claiming.aborted) await this.#start()
      if (this.#hasChanged) {
        await pause(pauseMilliseconds)
        continue
      }
      if (this.#receivers.size === 0) break
      await new Promise<void>((resolve) => {
        this.#resume = resolve
      })
    }
    // In the same turn as the last look: a later call begins a round of its own.
    this.#isRunning = false
  }

  async #start(): Promise<void> {
    if (this.#hasMore) this.#exhausted = null
    this.#hasMore = false
    const busy = this.#busy()
    const room = Math.min(maxClaimed, maxAttempts - this.#receivers.size)
    if (room <= 0 || this.#exhausted?.every((receiver) => busy.includes(receiver))) return
    const claimed = await claim(room, busy).catch((err: unknown): Lease[] => {
      log().warn({ err }, 'could not read the outbox')
      return []
    })
    if (claimed.length < room) this.#exhausted = busy
    for (const delivery of claimed) void this.#attempt(delivery)
    if (claimed.length > 0) this.#change()
  }

  #busy(): string[] {
    const counts = new Map<string, number>()
    for (const receiver of this.#receivers.values()) counts.set(receiver, (counts.get(receiver) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= busyAt).map(([receiver]) => receiver)
  }

  #change(): void {
    this.#hasChanged = true
    this.#resume()
  }

  async #attempt(row: Lease): Promise<void> {
    const key = Symbol(row.id)
    this.#receivers.set(key, row.receiver)
    try {
      const sender = senderOf(row.type)
      const delivery = { ...row, receiver: (await sender.receiver?.(row)) ?? row.receiver }
      const outcome = await sender.send(delivery, this.#sending).catch(outcomeOfError(delivery))
      if (outcome.result !== 'delivered' && this.#sending.aborted) await release(delivery)
      else await this.#settle(delivery, outcome)
    } catch (err) {
      // The lease ends, and the message is sent again.
      log().warn({ err }, 'could not read or store a delivery')
    }
    this.#receivers.delete(key)
    this.#change()
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
