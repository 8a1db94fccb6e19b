'use client'

import { type ReactNode, useRef, useState } from 'react'
import { ActionMessages, useAccountAction } from '@/components/account/action'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { AlertIcon, CheckIcon, PasskeyIcon } from '@/components/ui/icons/form-icons'
import { LockIcon, PersonIcon, SheetIcon, SignInIcon, SignOutIcon } from '@/components/ui/icons/icons'
import { Moment } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import { useLocale, useWords } from '@/components/ui/words/words'
import { eventText, groupRepeats, type Remaining, withEarlier } from '@/lib/activity/events'
import type { AccountEvent, EventMethod, EventPage, EventType } from '@/lib/api/schemas'
import { fetchEvents } from '@/lib/browser/account'
import { browserLabel, listed, listedBrowser } from '@/lib/messages/format/text'
import { languageOf } from '@/lib/messages/locales'

interface Props {
  /** The newest, grouped. */
  first: AccountEvent[]
  remaining: Remaining
}

/** Lists the account's events, newest first: a few, then all of them, a page at a time. */
export function Activity({ first, remaining }: Props) {
  const words = useWords('activity')
  const { focusAfterUpdate } = usePageFeedback()
  const list = useRef<HTMLOListElement>(null)
  const [fetched, setFetched] = useState<{ events: AccountEvent[]; next?: string | undefined } | null>(null)
  const events = fetched ? withEarlier(fetched.events, first) : first
  const hasMore = fetched ? fetched.next !== undefined : remaining !== 'none'

  function append(page: EventPage) {
    const shown = new Set(events.map(keyOf))
    const all = [...(fetched?.events ?? []), ...page.events]
    setFetched({ events: all, next: page.next })
    // The button goes, so the first new event gets the focus. All may repeat one that was there before.
    const index = groupRepeats(all).findIndex((event) => !shown.has(keyOf(event)))
    focusAfterUpdate(() => (list.current?.children[index] ?? list.current?.lastElementChild) as HTMLElement | null)
  }
  return (
    <div className="px-card py-2">
      {events.length === 0 && <p className="py-2 text-muted">{words.none}</p>}
      <ol ref={list} className="divide-y divide-line">
        {events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and several can have one time.
          <li key={`${keyOf(event)} ${index}`} tabIndex={-1} className="flex gap-3.5 py-3 outline-none">
            <Entry event={event} />
          </li>
        ))}
      </ol>
      {hasMore && (
        <More
          key={fetched?.next}
          label={fetched === null && remaining === 'page' ? words.showAll : words.showMore}
          before={fetched?.next}
          onFetched={append}
        />
      )}
    </div>
  )
}

interface MoreProps {
  label: string
  /** Where the page to fetch begins; without it, the first page */
  before: string | undefined
  onFetched: (page: EventPage) => void
}

/** Fetches a page, and then gives way to the `More` of the next. */
function More({ label, before, onFetched }: MoreProps) {
  const scope = useRef<HTMLDivElement>(null)
  const action = useAccountAction(scope)
  function fetchMore() {
    let page: EventPage | undefined
    const keep = (fetched: EventPage) => {
      page = fetched
    }
    action.run(
      'more',
      () => fetchEvents(before, keep),
      () => void (page && onFetched(page)),
    )
  }
  return (
    <div ref={scope} className="has-data-tone:mt-3">
      <ActionMessages action={action} />
      <Button look="quiet" className="outdent" pending={action.pending !== null} onClick={fetchMore}>
        {label}
      </Button>
    </div>
  )
}

/** One event, beside its icon. */
export function Entry({ event }: { event: AccountEvent }) {
  const locale = useLocale()
  const words = useWords('activity')
  return (
    <>
      <EventIcon type={event.type} />
      <div className="min-w-0 break-words">
        <p className="font-medium first-letter:uppercase">
          {eventText({ locale, words }, event)}
          {event.newBrowser && <Badge>{words.newBrowser}</Badge>}
        </p>
        <EventSource at={event.at} method={event.method} browsers={[event.browser]} />
      </div>
    </>
  )
}

/** Names an event alike before and after a fetch. Two events can have one name. */
const keyOf = ({ type, at }: AccountEvent) => `${type} ${at}`

interface EventSourceProps {
  /** The time of the newest event */
  at: string
  method: EventMethod | null
  /** The newest first. */
  browsers: (string | null)[]
  /** True if earlier events may come from unknown browsers */
  mayMissBrowsers?: boolean
  /** True where the person decides by it, so that it is no aside */
  isEvidence?: boolean
}

/** Names at most this many browsers; nobody compares more. */
const namedBrowsers = 3

/** Says where events came from and when, on two lines if one has no room. A part that begins a line hides the dot before it. */
export function EventSource({ at, method, browsers, mayMissBrowsers, isEvidence }: EventSourceProps) {
  const words = useWords('activity')
  const locale = useLocale()
  const label = browsers.length > 1 ? listedBrowser : browserLabel
  const names = browsers.map((browser) => (browser === null ? words.unknownBrowser : label(browser)))
  // A list has the page's direction, whatever that of the first name.
  const direction = names.length > 1 ? languageOf(locale).direction : undefined
  const source = <bdi dir={direction}>{listed(locale, names.slice(0, namedBrowsers))}</bdi>
  const areOnlyLatest = names.length > namedBrowsers || (mayMissBrowsers && names.length === 1)
  return (
    <p className={`overflow-clip ${isEvidence ? '' : 'text-small text-muted'}`}>
      <span className="-ms-4 flex flex-wrap *:relative *:ps-4 *:before:absolute *:before:start-1.5 *:before:content-['·']">
        {/* An operator's command has no browser. */}
        {method !== 'operator' && (
          <span className={isEvidence ? 'font-medium' : ''}>
            {areOnlyLatest ? <Filled message={words.last} values={{ browser: source }} /> : source}
          </span>
        )}
        <span className="*:first-letter:uppercase">
          <Moment at={at} />
        </span>
      </span>
    </p>
  )
}

/** Takes the colour of a warning where somebody failed to get in, or a limit kept somebody out. */
function EventIcon({ type }: { type: EventType }) {
  // A newer backend may know more types than its front end.
  const Icon = icons[type] ?? PersonIcon
  return (
    <span className={`mt-0.5 ${Icon === AlertIcon ? 'text-danger' : 'text-muted'}`}>
      <Icon />
    </span>
  )
}

const icons: Record<EventType, () => ReactNode> = {
  account_created: PersonIcon,
  signed_in: SignInIcon,
  reauthenticated: CheckIcon,
  signin_failed: AlertIcon,
  locked_out: AlertIcon,
  passkey_added: PasskeyIcon,
  passkey_removed: PasskeyIcon,
  session_revoked: SignOutIcon,
  username_changed: PersonIcon,
  name_changed: PersonIcon,
  email_changed: PersonIcon,
  groups_changed: PersonIcon,
  password_changed: LockIcon,
  password_removed: LockIcon,
  recovery_codes_made: SheetIcon,
  recovery_asked: AlertIcon,
  recovery_stopped: CheckIcon,
  recovered: CheckIcon,
  signed_out_everywhere: SignOutIcon,
  account_disabled: AlertIcon,
  account_enabled: CheckIcon,
  app_allowed: CheckIcon,
  app_removed: SignOutIcon,
  refresh_token_reused: AlertIcon,
  signed_out_by_app: SignOutIcon,
}
