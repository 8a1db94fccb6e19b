import { singleton } from '@/lib/process/singleton'
import type { EventOrigin } from '../model/request-context'
import { logSecurityEvent } from './security-log'

/** Rejections that say little one by one, and that anybody can cause without end. */
export type CountedEvent = 'invalid_request' | 'not_signed_in' | 'not_owned'

const windowMilliseconds = 60_000
/** Further ones are in the total only, so that a stranger with many addresses cannot fill the memory. */
const mostSources = 1_000

interface Source {
  account: string | null
  /** Of its latest request */
  origin: EventOrigin
  count: number
}

/** What was counted since the latest line of an event. */
interface Window {
  count: number
  sources: Map<string, Source>
}

const windows = () => singleton('rejection-windows', () => new Map<CountedEvent, Window>())

/**
 * Writes a line for the first rejection at once, and then one a minute for all that follow: a single attempt shows without
 * delay, and a flood cannot fill the disk.
 */
export function countRejection(event: CountedEvent, context: EventOrigin, account: string | null): void {
  const window = windows().get(event)
  if (window) add(window, context, account)
  else {
    logSecurityEvent(event, context, { account, count: 1, sources: 1, most: 1 })
    openWindow(event)
  }
}

function add(window: Window, { address, requestId }: EventOrigin, account: string | null): void {
  window.count += 1
  const key = `${account} ${address}`
  const count = window.sources.get(key)?.count ?? 0
  if (count === 0 && window.sources.size >= mostSources) return
  // A copy: the context holds the whole request.
  window.sources.set(key, { account, origin: { address, requestId, userAgent: null }, count: count + 1 })
}

function openWindow(event: CountedEvent): void {
  windows().set(event, { count: 0, sources: new Map() })
  const next = () => {
    if (closeWindow(event)) openWindow(event)
  }
  setTimeout(next, windowMilliseconds).unref()
}

/** @returns whether anything was counted in it */
function closeWindow(event: CountedEvent): boolean {
  const window = windows().get(event)
  windows().delete(event)
  const [top] = [...(window?.sources.values() ?? [])].sort((one, other) => other.count - one.count)
  if (!window || !top) return false
  const { count, sources } = window
  logSecurityEvent(event, top.origin, { account: top.account, count, sources: sources.size, most: top.count })
  return true
}

/** Writes what was counted since the latest lines. Call it before the process ends. */
export function writeCountedRejections(): void {
  for (const event of windows().keys()) closeWindow(event)
}
