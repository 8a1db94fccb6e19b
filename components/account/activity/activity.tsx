'use client'

import { useRef, useState } from 'react'
import { EventIcon } from '@/components/account/activity/event-icon'
import { EventSource } from '@/components/account/activity/event-source'
import { ActionMessages } from '@/components/account/forms/action-messages'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useLocale, useWords } from '@/components/ui/words/words'
import { groupRepeats, type Remaining, withEarlier } from '@/lib/activity/event-groups'
import { eventText } from '@/lib/activity/event-text'
import type { AccountEvent, EventPage } from '@/lib/api/schemas'
import { fetchEvents } from '@/lib/browser/account/activity'

/** Not unique, but equal for the same event before and after a fetch. */
const keyOf = ({ type, at }: AccountEvent) => `${type} ${at}`

interface Props {
  /** The newest, grouped. */
  first: AccountEvent[]
  remaining: Remaining
}

/** What happened to the account, newest first: a few events, then all of them, a page at a time. */
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
    // The button goes, and the first new event is what to read next. All may repeat one that was shown.
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
  /** Where the page to fetch begins; without it, the first. */
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

function Entry({ event }: { event: AccountEvent }) {
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
