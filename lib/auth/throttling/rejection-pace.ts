import { setTimeout as pause } from 'node:timers/promises'
import { isApiError } from '@/lib/api/errors'
import { singleton } from '@/lib/process/singleton'
import type { RequestContext } from '../model/request-context'
import { surroundingNetwork } from './networks'

/** Rejections that a network gets at once after a rest, and then in a second. */
const burst = 50
const perSecond = 25
/** Bounds how long connections stay open for this. */
const longestMilliseconds = 8_000
const swept = 10_000

/** When each network will have had its rejections at that rate, in milliseconds since 1970. */
const paidUntil = () => singleton('rejection-pace', () => new Map<string, number>())

/**
 * Delays a rejection if the client's network gets many: a client that repeats what was rejected would otherwise do so as fast
 * as it can, and keep the server busy with nothing else. Whoever retries by hand never waits.
 */
export async function paceRejection(error: unknown, context: RequestContext): Promise<void> {
  if (isApiError(error) && (error.code === 'too_many_attempts' || error.code === 'unavailable')) await pace(context)
}

async function pace(context: RequestContext): Promise<void> {
  const network = surroundingNetwork(context.address) ?? context.address
  const now = Date.now()
  const until = Math.max(paidUntil().get(network) ?? 0, now) + 1000 / perSecond
  paidUntil().set(network, until)
  if (paidUntil().size > swept) sweep(now)
  const wait = Math.min(until - now - (burst * 1000) / perSecond, longestMilliseconds)
  if (wait > 0) await holdBack(wait, context)
}

/** Waits before a rejection is answered, for as long as its client does: nobody reads that of an aborted request. */
export async function holdBack(milliseconds: number, { signal }: Pick<RequestContext, 'signal'>): Promise<void> {
  await pause(milliseconds, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined)
}

function sweep(now: number) {
  for (const [network, until] of paidUntil()) if (until < now) paidUntil().delete(network)
}
