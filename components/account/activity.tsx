'use client'

import { EventList } from '@/components/account/event-list'
import { useWords } from '@/components/ui/words'
import type { EventPage } from '@/lib/api/schemas'

const shownAtFirst = 5

/** The newest events of each kind; the lists fetch more. */
export function Activity({ signIns, changes }: { signIns: EventPage; changes: EventPage }) {
  const words = useWords('activity')
  return (
    <div className="divide-y divide-line">
      <EventList
        title={words.signIns}
        none={words.noSignIns}
        moreLabel={words.moreSignIns}
        kind="sign_ins"
        {...firstOf(signIns)}
      />
      <EventList
        title={words.changes}
        none={words.noChanges}
        moreLabel={words.moreChanges}
        kind="changes"
        {...firstOf(changes)}
      />
    </div>
  )
}

function firstOf({ events, more }: EventPage) {
  const first = events.slice(0, shownAtFirst)
  // A list starts anew when something has happened.
  return { first, more: more || events.length > first.length, key: first[0]?.at ?? '' }
}
