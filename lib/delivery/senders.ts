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

/** Tells operators why a receiver could not be called, or did not respond. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'
  /** The status of an answer that was not right; undefined if there was none */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/** Codes of Node and OpenSSL where TLS fails: a certificate that does not verify, or no TLS at all. */
const tlsCodes =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_|PATH_LENGTH_|EPROTO$)/

/** Returns the code if TLS with the receiver failed; else null. */
export function tlsFailureOf(error: unknown): string | null {
  const { code } = (isReceiverError(error) && (error.cause as NodeJS.ErrnoException | undefined)) || {}
  return code !== undefined && tlsCodes.test(code) ? code : null
}

/** Compares names, because `instanceof` fails between the several copies of this module that one process holds. */
export const isReceiverError = (error: unknown): error is ReceiverError =>
  error instanceof Error && error.name === 'ReceiverError'
