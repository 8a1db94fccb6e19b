import { limits } from '@/lib/api/limits'
import type { AccountEvent, EventPage } from '@/lib/api/schemas'

/** The profile shows so many of each kind at first. */
const shownOfKind = 3

/**
 * Chooses the events that the profile shows at first, newest first. Each kind has its own share, so that frequent sign-ins and
 * failed attempts never hide changes.
 */
export function recentEvents(signIns: EventPage, changes: EventPage): { first: AccountEvent[]; remaining: Remaining } {
  const kinds = [signIns, changes].map(({ events }) => groupRepeats(events))
  const first = kinds.flatMap((groups) => groups.slice(0, shownOfKind)).sort(newestFirst)
  const isLong = signIns.more || changes.more || signIns.events.length + changes.events.length > limits.events
  const isMore = kinds.some((groups) => groups.length > shownOfKind)
  return { first, remaining: isLong ? 'pages' : isMore ? 'page' : 'none' }
}

export const newestFirst = (one: { at: string }, other: { at: string }) => other.at.localeCompare(one.at)

/** For `page`, one request fetches all that remains. */
export type Remaining = 'none' | 'page' | 'pages'

/** Merges repeated events into one, with the time of the newest and the total count. `events`: newest first */
export function groupRepeats(events: AccountEvent[]): AccountEvent[] {
  const groups: AccountEvent[] = []
  for (const event of events) {
    const last = groups.at(-1)
    if (last && isRepeat(last, event)) groups[groups.length - 1] = { ...last, count: countOf(last) + countOf(event) }
    else groups.push(event)
  }
  return groups
}

const countOf = ({ count = 1 }: AccountEvent) => count

const isRepeat = (one: AccountEvent, other: AccountEvent) =>
  one.type === other.type &&
  one.method === other.method &&
  one.browser === other.browser &&
  one.newBrowser === other.newBrowser &&
  one.app === other.app

/**
 * Groups the fetched events, newest first, and appends those of `first` that are older: many sign-ins may fill the pages before
 * the newest change. Events of `first` that are not older are among the fetched, if repeated in a group with a later time.
 */
export function withEarlier(fetched: AccountEvent[], first: AccountEvent[]): AccountEvent[] {
  const oldest = fetched.at(-1)?.at ?? ''
  return [...groupRepeats(fetched), ...first.filter(({ at }) => at < oldest)]
}
