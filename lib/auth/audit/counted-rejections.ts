import { singleton } from '@/lib/process/singleton'
import type { EventOrigin } from '../model/request-context'
import { logSecurityEvent } from './security-log'

/**
 * How many rejections of a minute have a line of their own. The fail2ban filter of docs/security-log.md counts lines of
 * `forged_token`.
 */
const ownLines = {
  invalid_request: 1,
  not_signed_in: 1,
  not_owned: 1,
  foreign_origin: 100,
  step_up_missing: 100,
  forged_token: 100,
  counter_went_back: 100,
}

export type CountedEvent = keyof typeof ownLines

const windowMilliseconds = 60_000
/** A stranger with many addresses cannot fill the memory. */
const mostSources = 1_000

interface Source {
  account: string | null
  /** Of its latest request */
  origin: EventOrigin
  count: number
}

/** What was counted in a minute, besides the lines of their own. */
interface Window {
  ownLinesLeft: number
  count: number
  sources: Map<string, Source>
}

const windows = () => singleton('rejection-windows', () => new Map<CountedEvent, Window>())

/** A line for each of the first rejections, then one a minute for all that follow, so that a flood cannot fill the disk. */
export function countRejection(event: CountedEvent, origin: EventOrigin, account: string | null): void {
  const window = windows().get(event) ?? openWindow(event, ownLines[event])
  if (window.ownLinesLeft > 0) {
    window.ownLinesLeft -= 1
    logSecurityEvent(event, origin, { account, ...(ownLines[event] === 1 && { count: 1, sources: 1, most: 1 }) })
  } else add(window, origin, account)
}

function add(window: Window, { address, requestId }: EventOrigin, account: string | null): void {
  window.count += 1
  const key = `${account} ${address}`
  const count = window.sources.get(key)?.count ?? 0
  if (count === 0 && window.sources.size >= mostSources) return
  // A copy: the origin may be a context, which holds the whole request.
  window.sources.set(key, { account, origin: { address, requestId, userAgent: null }, count: count + 1 })
}

function openWindow(event: CountedEvent, ownLinesLeft: number): Window {
  const window = { ownLinesLeft, count: 0, sources: new Map() }
  windows().set(event, window)
  setTimeout(() => nextWindow(event), windowMilliseconds).unref()
  return window
}

/** The line that sums a minute up is one of the next minute's, so that a steady flood never has more than these. */
function nextWindow(event: CountedEvent): void {
  if (closeWindow(event)) openWindow(event, ownLines[event] - 1)
}

function closeWindow(event: CountedEvent): boolean {
  const window = windows().get(event)
  windows().delete(event)
  const [top] = [...(window?.sources.values() ?? [])].sort((one, other) => other.count - one.count)
  if (!window || !top) return false
  const { count, sources } = window
  logSecurityEvent(event, top.origin, { account: top.account, count, sources: sources.size, most: top.count })
  return true
}

/** Call it before the process ends. */
export function writeCountedRejections(): void {
  for (const event of windows().keys()) closeWindow(event)
}
