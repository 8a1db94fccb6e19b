import { limits } from '@/lib/api/limits'
import type { AccountEvent, EventMethod, EventPage } from '@/lib/api/schemas'
import type { Words } from '@/lib/messages/en'
import { fill, type Message } from '@/lib/messages/format/text'
import type { Locale } from '@/lib/messages/locales'

/** Names the operator as the cause of an event that owners can cause, too. */
export const byOperator = ({ locale, words }: ActivityWords, event: string, method: EventMethod | null) =>
  method === 'operator' ? fill(locale, words.byOperator, { event }) : event

export interface ActivityWords {
  locale: Locale
  words: Words['activity']
}

/** Says an event in words; an unknown type by its name. */
export function eventText(activity: ActivityWords, { type, method, count = 1, app = '' }: AccountEvent): string {
  const { locale, words } = activity
  const messages: Record<string, Message> = words.events
  const message = messages[type] ?? type.replaceAll('_', ' ')
  const withMethod = method === null || method === 'operator' ? '' : words.methods[method]
  const event = fill(locale, message as '{count} {method} {app}', { count, method: withMethod, app }).trim()
  const caused = byOperator(activity, event, method)
  const isCounted = typeof message !== 'string' || count === 1
  return isCounted ? caused : fill(locale, words.times, { event: caused, count })
}

/** How many of each kind the profile shows at first. */
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

/* The profile suggests the sign-in method that a person lacks, judging by the newest events. */

const isSignIn = ({ type }: AccountEvent) =>
  type === 'signed_in' || type === 'reauthenticated' || type === 'account_created'

/** True if the person signed in with a recovery code and has set up no passkey or password since. @param events newest first */
export function needsNewSignInMethod(methods: string[], events: AccountEvent[]): boolean {
  if (!methods.every((method) => method === 'recovery')) return false
  const latest = events.find(
    (event) => isNewSignInMethod(event.type) || (isSignIn(event) && event.method === 'recovery'),
  )
  return !latest || !isNewSignInMethod(latest.type)
}

const isNewSignInMethod = (type: string) => type === 'passkey_added' || type === 'password_changed'

/** True if the last sign-in was by password, within ten minutes, and no passkey has come since. @param now in milliseconds */
export function signedInByPasswordRecently(events: AccountEvent[], now: number): boolean {
  const latest = events.find((event) => isSignIn(event) || event.type === 'passkey_added')
  return latest?.type !== 'passkey_added' && latest?.method === 'pwd' && now - Date.parse(latest.at) < tenMinutes
}

const tenMinutes = 10 * 60_000
