import { singleton } from '@/lib/process/singleton'
import type { EventContext } from '../model/request-context'
import { logSecurityEvent, type Subject } from './security-log'

/** How the rejections of a minute are logged: the first in lines of their own, the rest in one line that counts them. */
interface Report {
  individualLines: number
  /** Whether a line of its own has the counts, too */
  alwaysCounts: boolean
}

const counted: Report = { individualLines: 1, alwaysCounts: true }
/** The fail2ban filter of docs/security-log.md counts lines of `forged_token`. */
const individual: Report = { individualLines: 100, alwaysCounts: false }

const reports = {
  invalid_request: counted,
  not_signed_in: counted,
  not_owned: counted,
  foreign_origin: individual,
  step_up_missing: individual,
  forged_token: individual,
  counter_went_back: individual,
  app_refused: individual,
  receiver_untrusted: counted,
}

export type CountedEvent = keyof typeof reports

const minuteMilliseconds = 60_000
/** A stranger with many addresses cannot fill the memory. */
const mostSources = 1_000

/** What a line says beside the account. */
type About = Pick<Subject, 'app' | 'reason' | 'uri'>

interface Source {
  account: string | null
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
export function countRejection(
  event: CountedEvent,
  origin: EventContext,
  account: string | null,
  about: About = {},
): void {
  const { individualLines, alwaysCounts } = reports[event]
  const minute = minutes().get(event) ?? beginMinute(event, individualLines)
  if (minute.individualLinesLeft > 0) {
    minute.individualLinesLeft -= 1
    logSecurityEvent(event, origin, { account, ...about, ...(alwaysCounts && { count: 1, sources: 1, most: 1 }) })
  } else add(minute, origin, account, about)
}

function add(minute: Minute, { address, requestId }: EventContext, account: string | null, about: About): void {
  minute.count += 1
  const key = `${account} ${address} ${about.app} ${about.reason}`
  const count = minute.sources.get(key)?.count ?? 0
  if (count === 0 && minute.sources.size >= mostSources) return
  // A copy: the origin may be a context, which holds the whole request.
  minute.sources.set(key, { account, about, origin: { address, requestId, userAgent: null }, count: count + 1 })
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
  const { account, about, origin, count: most } = largest
  logSecurityEvent(event, origin, { account, ...about, count: minute.count, sources: minute.sources.size, most })
  return true
}

/** Call it before the process ends. */
export function writeCountedRejections(): void {
  for (const event of minutes().keys()) summarize(event)
}
