'use client'

import { useId, useRef, useState } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { EventSource } from '@/components/account/event-source'
import { Button } from '@/components/ui/button'
import { Messages, usePageFeedback } from '@/components/ui/page-feedback'
import { useLocale, useWords } from '@/components/ui/words'
import type { AccountEvent, EventKind } from '@/lib/api/schemas'
import { runOnAccount } from '@/lib/browser/account-action'
import { hasFailed } from '@/lib/browser/errors'
import { describeEvent } from '@/lib/browser/events'
import { post } from '@/lib/browser/post'

interface Props {
  title: string
  /** Said of an empty list. */
  none: string
  moreLabel: string
  kind: EventKind
  first: AccountEvent[]
  more: boolean
}

/** Events of one kind, newest first; more of them a page at a time. */
export function EventList({ title, none, moreLabel, kind, first, more }: Props) {
  const words = useWords('activity')
  const { account } = useAccountPage()
  const { show, focusAfterUpdate } = usePageFeedback()
  const titleId = useId()
  const list = useRef<HTMLOListElement>(null)
  const [loading, setLoading] = useState(false)
  const [state, setState] = useState<{ events: AccountEvent[]; more: boolean; next?: string }>({ events: first, more })
  const { events, next } = state

  async function showMore() {
    setLoading(true)
    show(null)
    const action = async () => {
      const page = await post('/api/i/events', { kind, ...(next !== undefined && { before: next }) })
      // The first page that is fetched contains the events that the server rendered.
      setState({ ...page, events: next === undefined ? page.events : [...events, ...page.events] })
      // The button may have gone, and the first new event is what to read next.
      focusAfterUpdate(() => list.current?.children[events.length] as HTMLElement | undefined)
    }
    const outcome = await runOnAccount(account, action, { title: words.moreFailed })
    if (hasFailed(outcome)) show({ place: titleId, alert: outcome })
    setLoading(false)
  }
  return (
    <section aria-labelledby={titleId} className="px-5 py-4 sm:px-6">
      <h3 id={titleId} className="text-small text-muted">
        {title}
      </h3>
      {events.length === 0 && <p className="py-2 text-muted">{none}</p>}
      <ol ref={list} className="divide-y divide-line">
        {events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and several can have one time.
          <li key={`${event.type} ${event.at} ${index}`} tabIndex={-1} className="py-3 outline-none">
            <Entry event={event} />
          </li>
        ))}
      </ol>
      <Messages place={titleId} className="not-empty:my-3" />
      {state.more && (
        <Button look="quiet" className="-ms-4.25" aria-label={moreLabel} pending={loading} onClick={showMore}>
          {words.more}
        </Button>
      )}
    </section>
  )
}

function Entry({ event }: { event: AccountEvent }) {
  const locale = useLocale()
  const words = useWords('activity')
  return (
    <>
      <p className="font-medium first-letter:uppercase">
        {describeEvent({ locale, words }, event)}
        {event.newBrowser && <span className="font-normal text-muted"> · {words.newBrowser}</span>}
      </p>
      <EventSource event={event} />
    </>
  )
}
