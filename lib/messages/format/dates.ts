import { type Locale, languageOf } from '../locales'
import { perLocale } from './text'

/** The reader's time zone, null until the server knows it, and the current time in milliseconds. */
export interface Clock {
  zone: string | null
  now: number
}

type DateFormats = Record<'day' | 'dayOfYear' | 'time' | 'calendarDay', Intl.DateTimeFormat>

/** @throws RangeError for an unknown time zone */
function makeDateFormats(locale: Locale, zone: string | null): DateFormats {
  const { conventions } = languageOf(locale)
  const timeZone = zone ?? 'UTC'
  const dayOfYear = { day: 'numeric', month: 'short', timeZone } as const
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const
  return {
    day: new Intl.DateTimeFormat(conventions, { ...dayOfYear, year: 'numeric' }),
    dayOfYear: new Intl.DateTimeFormat(conventions, dayOfYear),
    // Where the reader's zone is unknown, the time names the zone it is in.
    time: new Intl.DateTimeFormat(conventions, { ...time, ...(zone === null && { timeZoneName: 'short' }) }),
    // Swedish dates are those of ISO 8601, which Date.parse() reads.
    calendarDay: new Intl.DateTimeFormat('sv', { timeZone }),
  }
}

const dateFormats = new Map<string, DateFormats>()

/** Bounds the cache: there are hundreds of zones, and a cookie can spell each in many ways. */
const maxDateFormats = 200

function dateFormatsOf(locale: Locale, zone: string | null): DateFormats {
  const key = `${locale} ${zone}`
  const known = dateFormats.get(key)
  if (known) return known
  const made = makeDateFormats(locale, zone)
  if (dateFormats.size >= maxDateFormats) dateFormats.clear()
  dateFormats.set(key, made)
  return made
}

/**
 * This machine's time zone, in a browser the reader's; null if it is hidden, or is one that Intl itself rejects: browsers name
 * it `Etc/Unknown` where they cannot tell, and extensions make one up.
 */
export function localZone(): string | null {
  try {
    const zone: unknown = Intl.DateTimeFormat().resolvedOptions().timeZone
    return typeof zone === 'string' && isTimeZone(zone) ? zone : null
  } catch {
    return null
  }
}

/** Whether Intl knows a zone of this name. */
export function isTimeZone(zone: string): boolean {
  try {
    return Boolean(dateFormatsOf('en', zone))
  } catch {
    return false
  }
}

/** A date such as "21 Nov 2026". */
export const dayOf = (locale: Locale, at: string, { zone }: Clock) =>
  dateFormatsOf(locale, zone).day.format(new Date(at))

const relativeDays = perLocale((conventions) => new Intl.RelativeTimeFormat(conventions, { numeric: 'auto' }))

/** A date such as "3 Nov", or "21 Nov 2025" when that is long ago. */
export function dateOf(locale: Locale, at: string, { zone, now }: Clock): string {
  const { day, dayOfYear } = dateFormatsOf(locale, zone)
  const moment = new Date(at)
  const isRecent = Math.abs(now - moment.getTime()) < halfYear
  return (isRecent ? dayOfYear : day).format(moment)
}

/** A date near the present, such as "today", "yesterday", "3 Nov" or "21 Nov 2025", and a time such as "16:53". */
export function momentOf(locale: Locale, at: string, clock: Clock): { date: string; time: string } {
  const { calendarDay, time } = dateFormatsOf(locale, clock.zone)
  const moment = new Date(at)
  // Counted in UTC, whose days all have 24 hours: those on which clocks change have 23 or 25.
  const midnightOf = (when: Date | number) => Date.parse(calendarDay.format(when))
  const ago = (midnightOf(clock.now) - midnightOf(moment)) / 86_400_000
  const relative = (ago === 0 || ago === 1) && relativeDays(locale).format(-ago, 'day')
  return { date: relative || dateOf(locale, at, clock), time: time.format(moment) }
}

/** Dates this many milliseconds away or less are shown without a year. */
const halfYear = 182 * 86_400_000

/** When something can be tried again, such as "in 5 minutes". Rounded up, so that it is never too early. */
export function timeUntil(locale: Locale, seconds: number): string {
  const [count, unit] = inUnits(seconds, Math.ceil)
  const text = new Intl.RelativeTimeFormat(languageOf(locale).conventions).format(count, unit)
  // Arabic's word is "within", which would invite to try earlier.
  return text.replace(/^خلال/, 'بعد')
}

/** A duration, such as "5 minutes". */
export function duration(locale: Locale, seconds: number): string {
  const [count, unit] = inUnits(seconds, Math.round)
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const
  return count.toLocaleString(languageOf(locale).conventions, format)
}

function inUnits(seconds: number, round: (count: number) => number): [count: number, unit: Unit] {
  // Hours and days start at two: "90 minutes" is more precise than "2 hours".
  const [, size, unit] = units.find(([from]) => seconds >= from) ?? [0, 1, 'second']
  return [Math.max(1, round(seconds / size)), unit]
}

type Unit = 'day' | 'hour' | 'minute' | 'second'

const units: [from: number, size: number, unit: Unit][] = [
  [172_800, 86_400, 'day'],
  [7_200, 3_600, 'hour'],
  [60, 60, 'minute'],
]
