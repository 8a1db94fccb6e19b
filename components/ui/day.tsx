const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

/**
 * A date such as "21 November 2026", optionally with its time. Always in UTC: hydration in the browser's time zone would
 * not match the server's markup.
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
