import { type Locale, languageOf } from '../locales'

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
