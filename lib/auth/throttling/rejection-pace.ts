import { setTimeout as pause } from 'node:timers/promises'
import { isApiError } from '@/lib/api/errors'
import { singleton } from '@/lib/process/singleton'
import { networkOf, type RequestContext } from '../request'

/** Rejections per network: at once after a rest, and then per second. */
const burst = 50
const perSecond = 25
const burstMilliseconds = (burst * 1000) / perSecond
/** Bounds how long connections stay open for this, and how long after the last rejection a network waits for those before. */
const longestMilliseconds = 8_000
const sweptAbove = 10_000

/** For each network, the time until which it has used up its rate, in milliseconds since 1970. */
const usedUpUntil = () => singleton('rejection-pace', () => new Map<string, number>())

/**
 * Delays rejections to a network that gets many, or a client that retries at once would keep the server busy. A client that has
 * disconnected, in the middle of an upload or of a wait, gets none: its neighbours would wait for it.
 */
export async function paceRejection(error: unknown, context: RequestContext): Promise<void> {
  if (!isApiError(error) || (error.code !== 'too_many_attempts' && error.code !== 'unavailable')) return
  if (!context.signal?.aborted) await pace(context)
}

async function pace(context: RequestContext): Promise<void> {
  const network = networkOf(context.address)
  const now = Date.now()
  const used = Math.max(usedUpUntil().get(network) ?? 0, now) + 1000 / perSecond
  const until = Math.min(used, now + burstMilliseconds + longestMilliseconds)
  usedUpUntil().set(network, until)
  if (usedUpUntil().size > sweptAbove) sweep(now)
  const wait = until - now - burstMilliseconds
  if (wait > 0) await holdBack(wait, context)
}

/** Stops waiting when the client disconnects. */
export async function holdBack(milliseconds: number, { signal }: Pick<RequestContext, 'signal'>): Promise<void> {
  await pause(milliseconds, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined)
}

function sweep(now: number) {
  for (const [network, until] of usedUpUntil()) if (until < now) usedUpUntil().delete(network)
}
