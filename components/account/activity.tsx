import { Day } from '@/components/ui/day'
import type { AccountEvent } from '@/lib/api/schemas'
import { describeEvent } from '@/lib/browser/events'

export function Activity({ events }: { events: AccountEvent[] }) {
  if (events.length === 0) return <p className="px-5 py-4 text-muted sm:px-6">No activity in the last 90 days.</p>
  return (
    <ol className="divide-y divide-line px-5 sm:px-6">
      {events.map((event) => (
        <li key={`${event.type} ${event.at}`} className="py-3">
          <p className="font-medium first-letter:uppercase">{describeEvent(event)}</p>
          <p className="text-small text-muted">
            {event.browser && (
              <>
                <span className="block sm:inline">{event.browser}</span>
                <span className="hidden sm:inline"> · </span>
              </>
            )}
            <Day at={event.at} time />
          </p>
        </li>
      ))}
    </ol>
  )
}
