'use client'

import { useFill, useLocale, useWords } from '@/components/ui/words'
import { languageOf } from '@/lib/messages/locales'

/**
 * A date such as "21 November 2026". Always in UTC: hydration in the browser's time zone would not match the server's
 * markup.
 */
export function Day({ at }: { at: string }) {
  return <time dateTime={at}>{useDay(at)}</time>
}

/** A date with its time. */
export function Moment({ at }: { at: string }) {
  const fill = useFill()
  const words = useWords('activity')
  const date = useDay(at)
  const time = new Date(at).toLocaleTimeString(useConventions(), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  })
  return <time dateTime={at}>{fill(words.time, { date, time })}</time>
}

const useConventions = () => languageOf(useLocale()).conventions

const useDay = (at: string) =>
  new Date(at).toLocaleDateString(useConventions(), { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
