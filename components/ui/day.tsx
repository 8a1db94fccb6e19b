'use client'

import { useFill, useLocale, useWords } from '@/components/ui/words'
import { clockOf, dayOf } from '@/lib/messages/format'

export function Day({ at }: { at: string }) {
  return <time dateTime={at}>{dayOf(useLocale(), at)}</time>
}

/** A date with its time. */
export function Moment({ at }: { at: string }) {
  const locale = useLocale()
  const fill = useFill()
  const { time } = useWords('activity')
  return <time dateTime={at}>{fill(time, { date: dayOf(locale, at), time: clockOf(locale, at) })}</time>
}
