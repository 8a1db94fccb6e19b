import { type Locale, languageOf } from './locales'

/** A message for each plural form that a language has (Unicode CLDR's categories); `other` is every language's. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

export type Message = string | Plural

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** What fills a message's placeholders. A plural needs the `count` that chooses its form. */
export type Values<M extends Message, V> = Record<
  M extends string ? NamesIn<M> : NamesIn<M[keyof M & Intl.LDMLPluralRule]> | 'count',
  V
>

/** All of `Names`, in any order. */
type Holding<Names extends string> = (
  Names extends string
    ? (text: `${string}{${Names}}${string}`) => void
    : never
) extends (text: infer Text) => void
  ? Text & string
  : never

type TextLike<M extends string> = [NamesIn<M>] extends [never] ? string : Holding<NamesIn<M>>

/**
 * The catalogue of another language. A key that is missing or superfluous does not compile, nor does a message that lost
 * one of its placeholders. Forms other than `other` may leave `{count}` out: "one code".
 */
export type Translation<T> = T extends string
  ? TextLike<T>
  : T extends Plural
    ? { other: TextLike<T['other']> } & Partial<Record<Intl.LDMLPluralRule, string>>
    : { [K in keyof T]: Translation<T[K]> }

/** Caches one formatter per language: creating one takes longer than rendering a line. */
function perLocale<T>(make: (conventions: string) => T): (locale: Locale) => T {
  const made = new Map<Locale, T>()
  return (locale) => {
    const known = made.get(locale) ?? make(languageOf(locale).conventions)
    made.set(locale, known)
    return known
  }
}

const pluralRules = perLocale((conventions) => new Intl.PluralRules(conventions))

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
  const dayOfYear = { day: 'numeric', month: 'long', timeZone } as const
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
const mostDateFormats = 200

function dateFormatsOf(locale: Locale, zone: string | null): DateFormats {
  const key = `${locale} ${zone}`
  const known = dateFormats.get(key)
  if (known) return known
  const made = makeDateFormats(locale, zone)
  if (dateFormats.size >= mostDateFormats) dateFormats.clear()
  dateFormats.set(key, made)
  return made
}

/** This machine's time zone, in a browser the reader's; null if it is hidden. */
export const localZone = (): string | null => Intl.DateTimeFormat().resolvedOptions().timeZone ?? null

/** Whether Intl knows a zone of this name. */
export function isTimeZone(zone: string): boolean {
  try {
    return Boolean(dateFormatsOf('en', zone))
  } catch {
    return false
  }
}

/** A date such as "21 November 2026". */
export const dayOf = (locale: Locale, at: string, { zone }: Clock) =>
  dateFormatsOf(locale, zone).day.format(new Date(at))

const relativeDays = perLocale((conventions) => new Intl.RelativeTimeFormat(conventions, { numeric: 'auto' }))

/** A date such as "3 November", or "21 November 2025" when that is long ago. */
export function dateOf(locale: Locale, at: string, { zone, now }: Clock): string {
  const { day, dayOfYear } = dateFormatsOf(locale, zone)
  const moment = new Date(at)
  const isRecent = Math.abs(now - moment.getTime()) < halfYear
  return (isRecent ? dayOfYear : day).format(moment)
}

/** A date near the present, such as "Today", "Yesterday", "3 November" or "21 November 2025", and a time such as "16:53". */
export function momentOf(locale: Locale, at: string, clock: Clock): { date: string; time: string } {
  const { calendarDay, time } = dateFormatsOf(locale, clock.zone)
  const moment = new Date(at)
  // Counted in UTC, whose days all have 24 hours: those on which clocks change have 23 or 25.
  const midnightOf = (when: Date | number) => Date.parse(calendarDay.format(when))
  const ago = (midnightOf(clock.now) - midnightOf(moment)) / 86_400_000
  const relative = (ago === 0 || ago === 1) && capitalized(locale, relativeDays(locale).format(-ago, 'day'))
  return { date: relative || dateOf(locale, at, clock), time: time.format(moment) }
}

/** Dates this many milliseconds away or less are shown without a year. */
const halfYear = 182 * 86_400_000

const capitalized = (locale: Locale, text: string) =>
  text.charAt(0).toLocaleUpperCase(languageOf(locale).conventions) + text.slice(1)

const formOf = (locale: Locale, message: Message, count: unknown): string =>
  typeof message === 'string' ? message : (message[pluralRules(locale).select(Number(count))] ?? message.other)

/** A message in parts: its text, and what fills its placeholders. */
export function fillParts<M extends Message, V>(locale: Locale, message: M, values: Values<M, V>): (string | V)[] {
  const given: Record<string, V> = values
  const parts = formOf(locale, message, given.count).split(/\{(\w+)\}/)
  return parts.map((part, index) => (index % 2 === 0 ? part : (given[part] ?? part)))
}

/** Fills in a message's placeholders; numbers are written as the language does. */
export function fill<M extends Message>(locale: Locale, message: M, values: Values<M, string | number>): string {
  const { conventions, direction } = languageOf(locale)
  const write = (value: string | number) => {
    if (typeof value === 'number') return value.toLocaleString(conventions)
    // Isolated (Unicode UAX #9): a name of the other direction would move the words around it.
    return direction === 'rtl' && value ? `\u2068${value}\u2069` : value
  }
  const written = Object.fromEntries(
    Object.entries<string | number>(values).map(([name, value]) => [name, write(value)]),
  )
  const text = formOf(locale, message, (values as { count?: number }).count)
  return text.replace(/\{(\w+)\}/g, (_, name: string) => written[name] ?? '')
}

/** The API's "Firefox on Windows" is English; pages show "Firefox · Windows" in every language. */
export const browserLabel = (browser: string) => browser.replace(' on ', ' · ')

/** When something can be tried again, such as "in 5 minutes". Rounded up, so that it is never too early. */
export function timeUntil(locale: Locale, seconds: number): string {
  const [count, unit] = inUnits(seconds, Math.ceil)
  return new Intl.RelativeTimeFormat(languageOf(locale).conventions).format(count, unit)
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

const lists = perLocale((conventions) => new Intl.ListFormat(conventions, { type: 'conjunction' }))
const choices = perLocale((conventions) => new Intl.ListFormat(conventions, { type: 'disjunction' }))

/** A list such as "a, b and c". */
export const listed = (locale: Locale, items: string[]): string => lists(locale).format(items)

/** A list such as "a, b or c". */
export const listedAsChoices = (locale: Locale, items: string[]): string => choices(locale).format(items)
