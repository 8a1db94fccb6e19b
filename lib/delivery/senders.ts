import { singleton } from '@/lib/process/singleton'

/** A message of the outbox, at one of its attempts. */
export interface Delivery {
  /** The same at each attempt */
  id: string
  type: string
  receiver: string
  account: string | null
  /** The JSON from the outbox; a letter's is sealed */
  payload: string
  /** How many the message stands for */
  count: number
  /** Milliseconds since 1970 */
  createdAt: number
  /** Counts this one, too */
  attempts: number
}

/**
 * `failed`: another attempt would end the same; `gone`: the receiver wants nothing more, whatever the message. `error` is
 * for operators.
 */
export type Outcome = { result: 'delivered' } | { result: 'retry' | 'failed' | 'gone'; error: string }

/** Turns a status into an outcome, unless the protocol of a message says otherwise. */
export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return { result: 'delivered' }
  const isRedirect = status >= 300 && status < 400
  return { result: 'retry', error: `answered ${status}${isRedirect ? '; redirects are not followed' : ''}` }
}

export interface Sender {
  /** Finds the receiver of a message, if that can have changed since we wrote the message */
  receiver?: (delivery: Delivery) => string | Promise<string>
  /**
   * Sends one message within its lease.
   *
   * @param signal ends the attempt, which another process repeats
   * @throws ReceiverError which counts as `retry`, as does any other error
   */
  send(delivery: Delivery, signal: AbortSignal): Promise<Outcome>
}

const senders = () => singleton('delivery-senders', () => new Map<string, Sender>())

export function registerSender(types: readonly string[], sender: Sender): void {
  for (const type of types) senders().set(type, sender)
}

/** Finds the sender of a claimed message, which has one: we claim only types with a sender. */
export function senderOf(type: string): Sender {
  const sender = senders().get(type)
  if (!sender) throw new Error(`nothing sends ${type}`)
  return sender
}

/** Lists the types that this process can send. */
export const registeredTypes = (): string[] => [...senders().keys()]
