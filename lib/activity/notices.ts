import { isFailureEvent } from '@/lib/api/names'
import type { AccountEvent, EventMethod, EventType } from '@/lib/api/schemas'
import type { Words } from '@/lib/messages/en'
import { fill, type Plural } from '@/lib/messages/format/text'
import { type ActivityWords, byOperator, newestFirst } from './events'
import { memoryOf, type OwnAction } from './notice-memory'

/** One or more events of a type that the owner should look at. */
export interface Notice {
  type: EventType
  /** The number of events or attempts */
  count: number
  /** The time and the method of the newest */
  at: string
  method: EventMethod | null
  /** Where they came from, the newest first; null for an unknown browser */
  browsers: (string | null)[]
}

/** The fewest failures that deserve a notice; fewer are likely typing errors. */
const manyFailures = 5

/**
 * Makes the notices that a browser shows, without those that it has dismissed and its own actions (decision 0039).
 *
 * @param events of `/api/i/notices`, newest first
 * @param memory the browser's cookie
 */
export function pendingNotices(events: AccountEvent[], accountId: string, memory: string | null): Notice[] {
  const { dismissed: until, own } = memoryOf(memory, accountId)
  const ownEvents = ownEventsOf(events, own)
  // This browser's first sign-in to the account. Browsers that existed earlier show what a passkey did before that.
  const arrival = Math.max(0, ...[...ownEvents].filter(({ newBrowser }) => newBrowser).map(({ at }) => Date.parse(at)))
  const isNews = (event: AccountEvent) => {
    const time = Date.parse(event.at)
    return time > until && !ownEvents.has(event) && !(time < arrival && isByPasskey(event))
  }
  const news = events.filter(isNews)
  const [failures, others] = [news.filter(isFailedSignIn), news.filter((event) => !isFailedSignIn(event))]
  const isNoteworthy = totalOf(failures) >= manyFailures || failures.some(({ type }) => type === 'locked_out')
  return [...grouped(others), ...(isNoteworthy ? [failures] : [])].flatMap(noticeOf).sort(newestFirst)
}

/** Sign-ins from more browsers than this share one notice, or they would fill the page. */
const browsersApart = 3

/**
 * Groups events by type and by whether an operator caused them, and sign-ins by browser, too, so that the owner can recognize
 * each. One answer covers all of a group.
 */
function grouped(events: AccountEvent[]): AccountEvent[][] {
  const browsers = new Set(events.filter(({ type }) => type === 'signed_in').map(({ browser }) => browser))
  const keyOf = ({ type, method, browser }: AccountEvent) => {
    const group = `${type} ${method === 'operator'}`
    return type === 'signed_in' && browsers.size <= browsersApart ? `${group} ${browser}` : group
  }
  return [...new Set(events.map(keyOf))].map((key) => events.filter((event) => keyOf(event) === key))
}

/** Finds the events that this browser's own actions have caused, each exactly one. */
function ownEventsOf(events: AccountEvent[], own: readonly OwnAction[]): Set<AccountEvent> {
  const left = [...own]
  const caused = new Set<AccountEvent>()
  for (const event of events) {
    if (event.method === 'operator') continue
    const time = Date.parse(event.at)
    const index = left.findIndex(({ type, from, to }) => type === event.type && from <= time && time <= to)
    if (index < 0) continue
    // An action accounts for one event only, so another event in the same second is somebody else's.
    left.splice(index, 1)
    // An event that counts several has the action among them, and somebody else's.
    if ((event.count ?? 1) === 1) caused.add(event)
  }
  return caused
}

/** The server records an event after the change, so a passkey is a little older than the event of adding it. */
export const recordedWithinMilliseconds = 60_000

/** Additions to the account that no owner has confirmed: ids of passkeys, and whether there are such recovery codes. */
export interface Unanswered {
  passkeys: string[]
  codes: boolean
}

/**
 * Finds the passkeys and codes that a thief of the old password could have added, and would keep after a new password: those
 * since the last notice that this browser, or the owner for the account, has answered.
 *
 * @param events of `/api/i/notices`
 * @param memory the browser's cookie; null if it has none
 */
export function unansweredAdditions(
  events: AccountEvent[],
  { id, passkeys }: { id: string; passkeys: { id: string; createdAt: string }[] },
  memory: string | null,
): Unanswered {
  const { dismissed, own } = memoryOf(memory, id)
  const ownEvents = ownEventsOf(events, own)
  const isUnanswered = (event: AccountEvent) =>
    Date.parse(event.at) > dismissed && !ownEvents.has(event) && event.method !== 'operator'
  const timesOf = (type: EventType) =>
    events.filter((event) => event.type === type && isUnanswered(event)).map(({ at }) => Date.parse(at))
  const added = timesOf('passkey_added')
  const isAdded = (createdAt: number) =>
    added.some((at) => createdAt <= at && at <= createdAt + recordedWithinMilliseconds)
  return {
    passkeys: passkeys.filter(({ createdAt }) => isAdded(Date.parse(createdAt))).map((passkey) => passkey.id),
    codes: timesOf('recovery_codes_made').length > 0,
  }
}

/**
 * Finds the passkeys that may be a stranger's: those of additions that nobody has confirmed, but for the one in use, and only
 * while the browser shows notices.
 *
 * @param inUse the passkey that opened the session
 */
export function suspectPasskeys(
  events: AccountEvent[],
  account: Parameters<typeof unansweredAdditions>[1],
  memory: string | null,
  inUse: string | null,
): string[] {
  if (pendingNotices(events, account.id, memory).length === 0) return []
  return unansweredAdditions(events, account, memory).passkeys.filter((id) => id !== inUse)
}

const isByPasskey = ({ type, method, byPasskey }: AccountEvent) =>
  byPasskey === true || (type === 'signed_in' && method === 'passkey')

const isFailedSignIn = ({ type }: AccountEvent) => isFailureEvent(type)

/** Finds the time of the newest notice, in milliseconds since 1970; 0 if there is none. */
export const latestOf = (notices: Notice[]): number => Math.max(0, ...notices.map(({ at }) => Date.parse(at)))

/** True if somebody may have got in; attempts alone do not mean that. */
export const mayHaveIntruder = (notices: Notice[]): boolean => notices.some(({ type }) => type !== 'signin_failed')

const totalOf = (events: AccountEvent[]) => events.reduce((sum, { count = 1 }) => sum + count, 0)

function noticeOf(events: AccountEvent[]): Notice[] {
  const [newest] = events
  if (!newest) return []
  const { type, at, method } = newest
  const browsers = [...new Set(events.map(({ browser }) => browser))]
  return [{ type: isFailedSignIn(newest) ? 'signin_failed' : type, count: totalOf(events), at, method, browsers }]
}

/** Names the method for a single event only: of several, the older ones may have another. An operator's share one notice. */
export function noticeText(
  activity: ActivityWords,
  { events, signedInBy }: Words['notices'],
  { type, count, method }: Notice,
): string {
  if (type === 'signed_in' && count === 1 && method !== null && method !== 'operator')
    return fill(activity.locale, signedInBy, { method: activity.words.methods[method] })
  const messages: Partial<Record<EventType, Plural>> = events
  const message = messages[type] ?? { other: type.replaceAll('_', ' ') }
  return byOperator(activity, fill(activity.locale, message, { count }), method)
}
