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
