import { EventList } from '@/components/account/event-list'
import type { EventPage } from '@/lib/api/schemas'

const shownAtFirst = 5

/** The newest events of each kind; the lists fetch more. */
export function Activity({ signIns, changes }: { signIns: EventPage; changes: EventPage }) {
  return (
    <div className="divide-y divide-line">
      <EventList title="Sign-ins" none="No sign-ins in the last 90 days." kind="sign_ins" {...firstOf(signIns)} />
      <EventList title="Changes" none="No changes in the last 90 days." kind="changes" {...firstOf(changes)} />
    </div>
  )
}

function firstOf({ events, more }: EventPage) {
  const first = events.slice(0, shownAtFirst)
  // A list starts anew when something has happened.
  return { first, more: more || events.length > first.length, key: first[0]?.at ?? '' }
}
