import { singleton } from '@/lib/process/singleton'
import type { EventContext } from '../request'
import { minuteMilliseconds } from '../time'
import { logSecurityEvent, type Subject } from './security-log'

/** How the rejections of a minute are logged: the first in lines of their own, the rest in one line that counts them. */
interface Report {
  individualLines: number
  /** True if even a single line carries the counts */
  alwaysCounts: boolean
}

const firstAlone: Report = { individualLines: 1, alwaysCounts: true }
/** The fail2ban filter of docs/security-log.md counts lines of `forged_token` and `throttled`. */
const firstHundred: Report = { individualLines: 100, alwaysCounts: false }

const reports = {
  invalid_request: firstAlone,
  not_signed_in: firstAlone,
  not_owned: firstAlone,
  foreign_origin: firstHundred,
  step_up_missing: firstHundred,
  forged_token: firstHundred,
  counter_went_back: firstHundred,
  app_refused: firstHundred,
  receiver_untrusted: firstAlone,
  throttled: firstHundred,
}

export type CountedEvent = keyof typeof reports

/** A stranger with many addresses cannot fill the memory. */
const mostSources = 1_000

/** What the line of many says of those who sent the most. */
type About = Pick<Subject, 'account' | 'app' | 'reason' | 'uri'>

interface Source {
  about: About
  /** Of its latest request */
  origin: EventContext
  count: number
}

interface Minute {
  individualLinesLeft: number
  /** Rejections without a line of their own, and who caused them */
  count: number
  sources: Map<string, Source>
}

const minutes = () => singleton('rejection-minutes', () => new Map<CountedEvent, Minute>())

/** A line for each of the first rejections, then one a minute for all that follow, so that a flood cannot fill the disk. */
export function countRejection(event: CountedEvent, origin: EventContext, subject: Subject = {}): void {
  const { individualLines, alwaysCounts } = reports[event]
  const minute = minutes().get(event) ?? beginMinute(event, individualLines)
  if (minute.individualLinesLeft > 0) {
    minute.individualLinesLeft -= 1
    logSecurityEvent(event, origin, { ...subject, ...(alwaysCounts && { count: 1, sources: 1, most: 1 }) })
  } else add(minute, origin, subject)
}

function add(
  minute: Minute,
  { address, requestId }: EventContext,
  { account = null, app, reason, uri }: Subject,
): void {
  minute.count += 1
  const key = `${account} ${address} ${app} ${reason}`
  const count = minute.sources.get(key)?.count ?? 0
  if (count === 0 && minute.sources.size >= mostSources) return
  const about = { account, ...(app !== undefined && { app }), ...(reason !== undefined && { reason }) }
  // A copy: the origin may be a context, which holds the whole request.
  const origin = { address, requestId, userAgent: null }
  minute.sources.set(key, { about: uri === undefined ? about : { ...about, uri }, origin, count: count + 1 })
}

function beginMinute(event: CountedEvent, individualLinesLeft: number): Minute {
  const minute = { individualLinesLeft, count: 0, sources: new Map() }
  minutes().set(event, minute)
  setTimeout(() => nextMinute(event), minuteMilliseconds).unref()
  return minute
}

/** The summary counts as one of the next minute's individual lines. */
function nextMinute(event: CountedEvent): void {
  if (summarize(event)) beginMinute(event, reports[event].individualLines - 1)
}

/** Ends the minute. @returns whether there was anything to sum up */
function summarize(event: CountedEvent): boolean {
  const minute = minutes().get(event)
  minutes().delete(event)
  const [largest] = [...(minute?.sources.values() ?? [])].sort((one, other) => other.count - one.count)
  if (!minute || !largest) return false
  const { about, origin, count: most } = largest
  logSecurityEvent(event, origin, { ...about, count: minute.count, sources: minute.sources.size, most })
  return true
}

/** Call it before the process ends. */
export function writeCountedRejections(): void {
  for (const event of minutes().keys()) summarize(event)
}
