import { setTimeout as pause } from 'node:timers/promises'
import { log } from '@/lib/process/log'
import { claim, type Lease, release, settle } from './leases'
import { isReceiverError } from './receiver-error'
import { type Delivery, type Outcome, senderOf } from './senders'

/** Between two claims: at most 400 messages a second, however many wait, so that requests come first. */
const restMilliseconds = 10

/** Attempts at a time; a receiver that hangs must leave some to the others. */
const most = { attempts: 16, ofReceiver: 4, claimed: 4 }

/** Attempts by their outcome. */
export interface Delivered {
  delivered: number
  failed: number
}

/** Sends what is due, several at a time. A process has one. */
export class Courier {
  readonly #signal: AbortSignal
  /** The receivers of the attempts under way. */
  readonly #receivers = new Map<symbol, string>()
  #round: Promise<Delivered> | null = null
  #hasMore = false
  /**
   * The busy receivers when the last claim came back short: nothing else was due. Null: not known. Without it, each claim would
   * read all that waits for them.
   */
  #exhausted: string[] | null = null
  /** Whether anything has changed since a round last looked; `#resume` ends its wait. */
  #hasChanged = false
  #resume = () => {}

  /** @param signal ends the attempts under way, which are released */
  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /**
   * Sends what is due until nothing is, or `mayClaim` returns false. A call during a round joins it, and begins another if
   * that one stopped claiming. Resolves after the last attempt; never rejects.
   */
  async deliver(mayClaim: () => boolean): Promise<Delivered> {
    this.#hasMore = true
    this.#change()
    if (this.#round === null) {
      this.#round = this.#deliverAll(mayClaim).finally(() => {
        this.#round = null
      })
      return this.#round
    }
    const done = await this.#round
    return mayClaim() && (this.#hasMore || this.#round !== null) ? this.deliver(mayClaim) : done
  }

  /** Resolves when no attempt is under way. */
  get idle(): Promise<unknown> {
    return this.#round ?? Promise.resolve()
  }

  async #deliverAll(mayClaim: () => boolean): Promise<Delivered> {
    const done = { delivered: 0, failed: 0 }
    for (;;) {
      this.#hasChanged = false
      if (mayClaim()) await this.#start(done)
      if (this.#hasChanged) {
        await pause(restMilliseconds)
        continue
      }
      if (this.#receivers.size === 0) break
      await new Promise<void>((resolve) => {
        this.#resume = resolve
      })
    }
    return done
  }

  async #start(done: Delivered): Promise<void> {
    if (this.#hasMore) this.#exhausted = null
    this.#hasMore = false
    const busy = this.#busy()
    const room = Math.min(most.claimed, most.attempts - this.#receivers.size)
    if (room <= 0 || this.#exhausted?.every((receiver) => busy.includes(receiver))) return
    const claimed = await claim(room, busy).catch((err: unknown): Lease[] => {
      log().warn({ err }, 'could not read the outbox')
      return []
    })
    if (claimed.length < room) this.#exhausted = busy
    for (const delivery of claimed) void this.#attempt(delivery, done)
    if (claimed.length > 0) this.#change()
  }

  /** Receivers that have as many attempts under way as they may. */
  #busy(): string[] {
    const counts = new Map<string, number>()
    for (const receiver of this.#receivers.values()) counts.set(receiver, (counts.get(receiver) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= most.ofReceiver).map(([receiver]) => receiver)
  }

  #change(): void {
    this.#hasChanged = true
    this.#resume()
  }

  async #attempt(row: Lease, done: Delivered): Promise<void> {
    const key = Symbol(row.id)
    this.#receivers.set(key, row.receiver)
    try {
      const sender = senderOf(row.type)
      const delivery = { ...row, receiver: (await sender?.receiver?.(row)) ?? row.receiver }
      const outcome = sender ? await sender.send(delivery, this.#signal).catch(outcomeOf(delivery)) : unknownType
      if (outcome.result !== 'delivered' && this.#signal.aborted) await release(delivery)
      else await this.#settle(delivery, outcome, done)
    } catch (err) {
      // The lease ends, and the message is sent again.
      log().warn({ err }, 'could not read or store a delivery')
    }
    this.#receivers.delete(key)
    this.#change()
  }

  async #settle(delivery: Lease, outcome: Outcome, done: Delivered): Promise<void> {
    done[outcome.result === 'delivered' ? 'delivered' : 'failed'] += 1
    const lives = await settle(delivery, outcome)
    if (!lives && outcome.result !== 'delivered') logFailure(delivery, outcome)
  }
}

type Failure = Exclude<Outcome, { result: 'delivered' }>

/** Only registered types are claimed. */
const unknownType: Outcome = { result: 'retry', error: 'this server does not send it' }

const outcomeOf =
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
