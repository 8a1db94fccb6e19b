import { Day } from '@/components/ui/day'
import type { AccountEvent } from '@/lib/api/schemas'

interface EventSourceProps {
  event: Pick<AccountEvent, 'method' | 'browser' | 'at'>
  latest?: boolean
}

/** Where an event came from and when, on two lines where there is no room for one. */
export function EventSource({ event: { method, browser, at }, latest }: EventSourceProps) {
  // An operator's command has no browser.
  const source = method === 'operator' ? null : (browser ?? 'Unrecognized browser')
  return (
    <p className="text-small text-muted">
      {source !== null && (
        <>
          <span className="block sm:inline">
            {latest && 'Last: '}
            {source}
          </span>
          <span className="hidden sm:inline"> · </span>
        </>
      )}
      <Day at={at} time />
    </p>
  )
}
