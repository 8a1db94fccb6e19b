import { setTimeout as pause } from 'node:timers/promises'
import { log } from './log'
import { singleton } from './singleton'

/** Vercel's context of the current request; @vercel/functions reads the same. */
const vercelContext = Symbol.for('@vercel/request-context')

interface VercelGlobal {
  [vercelContext]?: { get?: () => { waitUntil?: (work: Promise<unknown>) => void } | undefined }
}

/** Runs `work` on a later turn of the event loop: no response waits for it, so a response's time reveals nothing about it. */
export function afterResponse(work: () => Promise<unknown>): void {
  const sent = new Promise<void>((resolve) => setImmediate(resolve))
  const done = sent.then(() => bestEffort(work, 'work after a response failed'))
  running().add(done)
  void done.finally(() => running().delete(done))
  // Without this, Vercel freezes the instance right after the response.
  ;(globalThis as VercelGlobal)[vercelContext]?.get?.()?.waitUntil?.(done)
}

const running = () => singleton('work-after-responses', () => new Set<Promise<unknown>>())

/** Call it after the last response. */
export async function finishAfterResponses(): Promise<void> {
  await Promise.all(running())
}

/** Runs work that follows a final outcome, such as a committed write. Logs a failure instead of throwing. */
export async function bestEffort(work: () => Promise<unknown>, message: string, details = {}): Promise<void> {
  try {
    await work()
  } catch (err) {
    log().warn({ err, ...details }, message)
  }
}

/** Waits for work, but not for ever: undefined if it takes longer, while the work goes on. @throws the work's error */
export async function resultWithin<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const waiting = new AbortController()
  const late = pause(milliseconds, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined)
  return Promise.race([work, late]).finally(() => waiting.abort())
}

/** False also if the check fails or takes longer. */
export const holdsWithin = async (milliseconds: number, check: () => Promise<boolean>): Promise<boolean> =>
  (await resultWithin(
    milliseconds,
    check().catch(() => false),
  )) ?? false

/** Does work one after the other for each key. */
export class KeyedQueue<Key> {
  readonly #last = new Map<Key, Promise<unknown>>()

  add<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(key) ?? Promise.resolve()).then(work)
    const last = done
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(key) === last) this.#last.delete(key)
      })
    this.#last.set(key, last)
    return done
  }
}
