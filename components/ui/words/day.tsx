'use client'

import { useClientValue } from '@/components/ui/use-client-value'
import { useFill } from '@/components/ui/words/filled'
import { useGivenClock, useLocale, useWords } from '@/components/ui/words/words'
import { type Clock, dateOf, dayOf, localZone, momentOf } from '@/lib/messages/format/dates'

export function Day({ at }: { at: string }) {
  return <Time at={at}>{dayOf(useLocale(), at, useClock())}</Time>
}

/** A date with its time, such as "today, 16:53". Put it last on its line: hydration may change its length. */
export function Moment({ at }: { at: string }) {
  const fill = useFill()
  const { when } = useWords('dates')
  return <Time at={at}>{fill(when, momentOf(useLocale(), at, useClock()))}</Time>
}

/** A date with its time for the middle of a sentence, such as "3 Nov, 16:53". */
export function MomentInText({ at }: { at: string }) {
  const fill = useFill()
  const locale = useLocale()
  const clock = useClock()
  const { when } = useWords('dates')
  return <Time at={at}>{fill(when, { date: dateOf(locale, at, clock), time: momentOf(locale, at, clock).time })}</Time>
}

const weekMilliseconds = 7 * 86_400_000

/** To the minute in the first week, when people still know what they did; then the day. */
export function When({ at }: { at: string }) {
  return useGivenClock().now - Date.parse(at) < weekMilliseconds ? <Moment at={at} /> : <Day at={at} />
}

/**
 * Shows a time in one piece where a line has room for it. Hydrating does not warn of differences between the server's Intl and
 * the browser's, which may have other data.
 */
const Time = ({ at, children }: { at: string; children: string }) => (
  <time dateTime={at} suppressHydrationWarning className="inline-block tabular-nums">
    {children}
  </time>
)

/** Tells the time in the zone that the server knows, and from hydration on in the browser's. */
function useClock(): Clock {
  const { zone, now } = useGivenClock()
  return { zone: useClientValue(localZone, () => zone), now }
}
