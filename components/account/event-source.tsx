import { Day } from '@/components/ui/day'

/** Where an event came from and when, on two lines where there is no room for one. */
export function EventSource({ browser, at, latest }: { browser: string | null; at: string; latest?: boolean }) {
  return (
    <p className="text-small text-muted">
      <span className="block sm:inline">
        {latest && 'Last: '}
        {browser ?? 'Unrecognized browser'}
      </span>
      <span className="hidden sm:inline"> · </span>
      <Day at={at} time />
    </p>
  )
}
