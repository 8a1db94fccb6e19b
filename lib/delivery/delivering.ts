import { setTimeout as pause } from 'node:timers/promises'
import { attemptMilliseconds, roundMilliseconds } from '@/lib/api/limits'
import { purge } from '@/lib/database/purge'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { afterResponse, bestEffort } from '@/lib/process/work'
import { settings } from '@/lib/settings/settings'
import { Courier, type Delivered, nextDueAt } from './courier'
import { measureWaiting } from './outbox'
import { registeredTypes } from './senders'

/** Finds within five seconds the messages of another process, such as an operator's command. */
const pollMilliseconds = 4_000
/** How soon it looks again for messages that are due and not sent: another instance may hold them, or their receiver be busy. */
const busyMilliseconds = 1_000
/** How much time a shutdown leaves to attempts under way, after the five seconds of the requests in progress. */
const graceMilliseconds = 3_000

const state = () =>
  singleton('delivery', () => {
    const [claiming, sending] = [new AbortController(), new AbortController()]
    const courier = new Courier({ claiming: claiming.signal, sending: sending.signal })
    return { claiming, sending, courier, polling: null as Promise<void> | null }
  })

/**
 * The end of a round in a process that keeps running: none. Messages that become due later join the round under way; if its time
 * were over, they would wait for a receiver that hangs.
 */
const noEnd = Number.POSITIVE_INFINITY

/** The time to claim a message before an attempt, and to store its outcome afterwards. */
const storingMilliseconds = 1_000

/** Delivers on a platform that freezes the process between requests, until it has stored the outcome of its last attempt. */
function deliverBeforeFreeze(): Promise<Delivered> {
  const maxMilliseconds = roundMilliseconds + attemptMilliseconds + storingMilliseconds
  return state().courier.deliver(Date.now() + roundMilliseconds, maxMilliseconds)
}

/**
 * Sends due messages for a cron job, also those of platforms where no process keeps running to send them.
 *
 * @returns null to a caller without the secret: how much there was to send tells how busy people are
 */
export async function deliverDue({
  isTrusted,
}: {
  isTrusted: boolean
}): Promise<(Delivered & { waiting: number }) | null> {
  const done = settings().processLives
    ? await state().courier.deliver(noEnd, roundMilliseconds)
    : await deliverAndPurge()
  if (!isTrusted) return null
  const { count } = await measureWaiting()
  return { ...done, waiting: count }
}

/** Delivers, and removes expired rows, which nothing else does regularly where no process keeps running. */
async function deliverAndPurge(): Promise<Delivered> {
  const purgeNow = () => purge(Date.now(), AbortSignal.timeout(roundMilliseconds))
  const [done] = await Promise.all([deliverBeforeFreeze(), bestEffort(purgeNow, 'could not remove expired rows')])
  return done
}

/**
 * Delivers the messages that a request has put into the outbox, after its response. Call it after the commit. In an operator's
 * command it does nothing, since a running server delivers.
 */
export function deliverSoon(): void {
  if (registeredTypes().length === 0) return
  startDelivering()
  afterResponse(async () => {
    // Work that waits would pile up in a living process, where a round lasts as long as a receiver hangs.
    if (settings().processLives) void state().courier.wake(noEnd)
    else await deliverBeforeFreeze()
  })
}

/** Starts to deliver all messages as they become due, also those of other processes. Idempotent. */
export function startDelivering(): void {
  if (settings().processLives) state().polling ??= poll(state().claiming.signal)
}

/** True if this process looks for due messages; without a receiver, it does not. */
export const isPolling = (): boolean => state().polling !== null

async function poll(signal: AbortSignal): Promise<void> {
  let fails = false
  while (!signal.aborted) {
    let wait = pollMilliseconds
    try {
      const next = await nextDueAt()
      const left = next === null ? wait : next - Date.now()
      if (left <= 0) void state().courier.wake(noEnd)
      wait = left <= 0 ? busyMilliseconds : Math.min(wait, left)
      fails = false
    } catch (err) {
      if (!fails) log().warn({ err }, 'could not read the outbox')
      fails = true
    }
    await pause(wait, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Begins no attempt any more, and releases the leases of those that do not end soon. */
export async function stopDelivering(): Promise<void> {
  const own = state()
  own.claiming.abort()
  const late = setTimeout(() => own.sending.abort(), graceMilliseconds)
  await own.polling
  await own.courier.idle
  clearTimeout(late)
}
