import { isPattern, isRun } from './patterns'

export interface Core {
  text: string
  /** Whether all that was left out are signs, runs and the like, and no digits that follow no pattern. */
  isPlain: boolean
}

/** Without what people put before and behind a word: `password` for `password@123`. @param password in lower case */
export function coresOf(password: string): Core[] {
  const characters = [...password]
  if (characters.length > longest) return []
  const slice = (start: number, end?: number) => characters.slice(start, end).join('')
  const starts = characters.flatMap((_, start) => asDecoration(slice(0, start), { start }))
  const ends = characters.flatMap((_, index) => asDecoration(slice(index + 1), { end: index + 1 }))
  return starts.flatMap(({ start, hasDigits }) =>
    ends
      .filter(({ end, hasDigits: behind }) => start < end && !(hasDigits && behind))
      .map(({ end, hasDigits: behind }) => ({ text: slice(start, end), isPlain: !hasDigits && !behind })),
  )
}

/** Nobody tries repetitions of every length. */
const longest = 60
/** A run is a decoration at each of its lengths, and each pair of them leaves a core to search for. */
const longestDecoration = 12

const signs = /^[^\p{L}\d]{0,3}$/u
const digitsAndSigns = /^[^\p{L}\d]{0,2}(\d+)[^\p{L}\d]{0,2}$/u
/** A year. Five digits that follow no pattern are many to try. */
const maxDigits = 4
const minPattern = 3

/** Nothing, unless it is what people put before or behind a word. */
function asDecoration<T>(text: string, place: T): (T & { hasDigits: boolean })[] {
  if (text.length > longestDecoration) return []
  if (signs.test(text) || (text.length >= minPattern && isRun(text))) return [{ ...place, hasDigits: false }]
  const digits = digitsAndSigns.exec(text)?.[1] ?? ''
  if (digits.length >= minPattern && isPattern(digits)) return [{ ...place, hasDigits: false }]
  return digits !== '' && digits.length <= maxDigits ? [{ ...place, hasDigits: true }] : []
}
