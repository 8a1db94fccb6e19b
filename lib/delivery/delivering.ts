import { setTimeout as pause } from 'node:timers/promises'
import { purge } from '@/lib/database/purge'
import { afterResponse, bestEffort } from '@/lib/process/after-response'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { Courier, type Delivered, nextDueAt } from './courier'
import { measureWaiting } from './outbox'
import { attemptMilliseconds } from './receiver'
import { registeredTypes } from './senders'

/** What another process wrote, such as an operator's command, is found within five seconds. */
const pollMilliseconds = 4_000
/** Between two looks at what is due and not yet sent: another instance may hold it, or its receiver be busy. */
const busyMilliseconds = 1_000
/**
 * On a platform that freezes the process between requests, attempts begin within this time. Elsewhere, a cron job's call waits
 * for them no longer.
 */
export const roundMilliseconds = 20_000
/** For attempts under way when a shutdown begins, beside the five seconds of the requests in progress. */
const graceMilliseconds = 3_000

const state = () =>
  singleton('delivery', () => {
    const [claiming, sending] = [new AbortController(), new AbortController()]
    const courier = new Courier({ claiming: claiming.signal, sending: sending.signal })
    return { claiming, sending, courier, polling: null as Promise<void> | null }
  })

/**
 * Where the process lives, a round has no end: what becomes due later joins the round under way, and once its time was over
 * would wait for a receiver that hangs.
 */
const noEnd = Number.POSITIVE_INFINITY

/** For claiming an attempt before it begins, and storing its outcome after it. */
const storingMilliseconds = 1_000

/** Where the process is frozen between requests: waits until the last attempt that it begins has been stored. */
function deliverBeforeFreeze(): Promise<Delivered> {
  const maxMilliseconds = roundMilliseconds + attemptMilliseconds + storingMilliseconds
  return state().courier.deliver(Date.now() + roundMilliseconds, maxMilliseconds)
}

/** For cron jobs: sends what is due, also what was written where no process lives to send it. */
export async function deliverDue(): Promise<Delivered & { waiting: number }> {
  const done = settings().processLives
    ? await state().courier.deliver(noEnd, roundMilliseconds)
    : await deliverAndPurge()
  const { count } = await measureWaiting()
  return { ...done, waiting: count }
}

/** Where no process lives, nothing else removes expired rows regularly. */
async function deliverAndPurge(): Promise<Delivered> {
  const purgeNow = () => purge(Date.now(), AbortSignal.timeout(roundMilliseconds))
  const [done] = await Promise.all([deliverBeforeFreeze(), bestEffort(purgeNow, 'could not remove expired rows')])
  return done
}

/**
 * Delivers after the response what the request has put into the outbox. Call it after the commit. An operator's command
 * delivers nothing: a running server does.
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

/** Delivers from now on what becomes due, also what other processes write. Idempotent. */
export function startDelivering(): void {
  if (settings().processLives) state().polling ??= poll(state().claiming.signal)
}

/** Whether this process looks for what becomes due, which it does not while there is no receiver. */
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
