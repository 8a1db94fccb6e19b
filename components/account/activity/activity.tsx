'use client'

import { useRef, useState } from 'react'
import { EventIcon } from '@/components/account/activity/event-icon'
import { EventSource } from '@/components/account/activity/event-source'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Messages, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useLocale, useWords } from '@/components/ui/words/words'
import type { AccountEvent } from '@/lib/api/schemas'
import { describeEvent, groupRepeats, type Rest } from '@/lib/browser/account/events'
import { hasFailed } from '@/lib/browser/failures/errors'
import { runAction } from '@/lib/browser/failures/run-action'
import { post } from '@/lib/browser/requests/post'

interface Props {
  /** The newest, grouped. */
  first: AccountEvent[]
  rest: Rest
}

const place = 'activity'

/** What happened to the account, newest first: a few events, then all of them, a page at a time. */
export function Activity({ first, rest }: Props) {
  const words = useWords('activity')
  const { show, focusAfterUpdate } = usePageFeedback()
  const list = useRef<HTMLOListElement>(null)
  const [loading, setLoading] = useState(false)
  const [fetched, setFetched] = useState<{ events: AccountEvent[]; next?: string | undefined } | null>(null)
  const events = fetched ? groupRepeats(fetched.events) : first
  const hasMore = fetched ? fetched.next !== undefined : rest !== 'none'

  async function showMore() {
    setLoading(true)
    show(null)
    const shown = new Set(events.map(keyOf))
    const action = async () => {
      const page = await post('/api/i/events', fetched?.next === undefined ? {} : { before: fetched.next })
      const all = [...(fetched?.events ?? []), ...page.events]
      setFetched({ events: all, next: page.next })
      // The button may have gone, and the first new event is what to read next.
      const index = groupRepeats(all).findIndex((event) => !shown.has(keyOf(event)))
      focusAfterUpdate(() => list.current?.children[index] as HTMLElement | undefined)
    }
    const outcome = await runAction(action, { title: words.moreFailed })
    if (hasFailed(outcome)) show({ place, alert: outcome })
    setLoading(false)
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
      <Messages place={place} className="not-empty:my-3" />
      {hasMore && (
        <Button look="quiet" className="outdent" pending={loading} onClick={showMore}>
          {fetched === null && rest === 'page' ? words.showAll : words.showMore}
        </Button>
      )}
    </div>
  )
}

/** Not unique, but equal for the same event before and after a fetch. */
const keyOf = ({ type, at }: AccountEvent) => `${type} ${at}`

function Entry({ event }: { event: AccountEvent }) {
  const locale = useLocale()
  const words = useWords('activity')
  return (
    <>
      <EventIcon type={event.type} />
      <div className="min-w-0 break-words">
        <p className="font-medium first-letter:uppercase">
          {describeEvent({ locale, words }, event)}
          {event.newBrowser && <Badge>{words.newBrowser}</Badge>}
        </p>
        <EventSource event={event} />
      </div>
    </>
  )
}
