const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

/**
 * A day such as "21 November 2026", or with its time. Only server components use it, and always in UTC: a browser that
 * wrote it again in its own zone would contradict the markup that it was sent.
 */
export function Day({ at, time = false }: { at: string; time?: boolean }) {
  const date = new Date(at)
  return (
    <time dateTime={at}>
      {day.format(date)}
      {time && `, ${clock.format(date)}\u00a0UTC`}
    </time>
  )
}
