import { log } from './log'

/** Where Vercel keeps what belongs to the request under way; the same that its package @vercel/functions reads. */
const vercelContext = Symbol.for('@vercel/request-context')

interface VercelGlobal {
  [vercelContext]?: { get?: () => { waitUntil?: (work: Promise<unknown>) => void } | undefined }
}

/**
 * Does something after the answer has gone out, so that the answer's time tells nothing of it. Vercel is asked to keep
 * the instance awake until it is done. What fails is logged.
 */
export function afterResponse(work: () => Promise<unknown>): void {
  const answered = new Promise<void>((resolve) => setImmediate(resolve))
  const done = answered.then(work).catch((err: unknown) => log().warn({ err }, 'work after an answer failed'))
  ;(globalThis as VercelGlobal)[vercelContext]?.get?.()?.waitUntil?.(done)
}
