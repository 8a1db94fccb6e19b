import { readFile } from 'node:fs/promises'
import { ownFile } from '@/lib/process/files'
import { asyncSingleton } from '@/lib/process/singleton'
import { isPattern, isRun } from './patterns'

/**
 * True for a common word or a pattern, with or without additions that help little (decision 0033). For `P@$$w0rd2024!`,
 * formsOf() returns it as typed, without Shift and without signs; coresOf() takes `2024!` off, and foldPassword() makes
 * `password` of the rest, which is a line of the list.
 *
 * @param password in NFC
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const lines = await list()
  // Looks up each core once, since the forms share most of them and a search takes microseconds.
  const cores = new Map<string, Core>()
  for (const core of formsOf(password.toLowerCase()).flatMap(coresOf))
    if (core.isPlain || !cores.has(core.text)) cores.set(core.text, core)
  return [...cores.values()].some(({ text, isPlain }) => {
    const isWord = /\p{L}/u.test(text)
    if (text.length < minStem) return isPlain && isWord && isPattern(text)
    return (isPlain || isWord) && (isPattern(text) || hasLine(lines, foldPassword(text)))
  })
}

/** Loads the list with the first new password, as bytes of sorted lines: a Set of them takes ten times the memory. */
const list = () => asyncSingleton('common-passwords', () => readFile(ownFile('build/common-passwords.txt')))

const newline = 10

/** Searches the sorted lines by halves. */
function hasLine(lines: Buffer, text: string): boolean {
  const line = Buffer.from(text)
  let [start, end] = [0, lines.length]
  while (start < end) {
    const middle = (start + end) >> 1
    const from = middle === start ? start : Math.max(start, lines.lastIndexOf(newline, middle - 1) + 1)
    const to = lines.indexOf(newline, from)
    const order = line.compare(lines, from, to)
    if (order === 0) return true
    if (order < 0) end = from
    else start = to + 1
  }
  return false
}

/** The password's forms: as it is, with Shift released, and without signs (`!QAZ2wsx`, `pass-word-1`). */
function formsOf(password: string): string[] {
  const unshifted = password.replace(/[!@#$%^&*()]/g, (key) => String(shiftedDigits.indexOf(key)))
  const bare = password.replace(/[^\p{L}\d]/gu, '')
  return [...new Set([password, unshifted, ...(bare.length >= minBare ? [bare] : [])])]
}

/** What the keys 0 to 9 of an American keyboard type with Shift. */
const shiftedDigits = ')!@#$%^&*('

/** The fewest letters and digits that are compared without their signs. With fewer, the signs make the password strong. */
const minBare = 8

export interface Core {
  text: string
  /** True if the decoration is signs, runs and the like, without digits that follow no pattern */
  isPlain: boolean
}

/**
 * Removes the decoration that people put before and behind a word: `password` for `password@123`.
 *
 * @param password in lower case
 */
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

/** Longer passwords are not worth the search, since nobody tries repetitions of every length. */
const longest = 60
/** Bounds the work: a run is a decoration at each of its lengths, and each pair of decorations leaves a core to search for. */
const longestDecoration = 12

const signs = /^[^\p{L}\d]{0,3}$/u
const digitsAndSigns = /^[^\p{L}\d]{0,2}(\d+)[^\p{L}\d]{0,2}$/u
/** Allows a year; five digits that follow no pattern are many to try. */
const maxDigits = 4
const minPattern = 3

/** Recognizes decoration, which people put before or behind a word; empty for other text. */
function asDecoration<T>(text: string, place: T): (T & { hasDigits: boolean })[] {
  if (text.length > longestDecoration) return []
  if (signs.test(text) || (text.length >= minPattern && isRun(text))) return [{ ...place, hasDigits: false }]
  const digits = digitsAndSigns.exec(text)?.[1] ?? ''
  if (digits.length >= minPattern && isPattern(digits)) return [{ ...place, hasDigits: false }]
  return digits !== '' && digits.length <= maxDigits ? [{ ...place, hasDigits: true }] : []
}

const lookAlikes: Record<string, string> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  l: 'i',
  '!': 'i',
  '|': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
}

/** Folds capitals, accents and the signs that stand for letters into one form: `P@$$w0rd` becomes `password`. */
export const foldPassword = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[@431l!|0$57]/g, (character) => lookAlikes[character] ?? character)

/** Removes what follows the last letter. */
export const stemOf = (text: string): string => text.replace(/[^\p{L}]+$/u, '')

/** The shortest stem that says anything about the passwords that begin with it. */
const minStem = 4

/** The lines that the build writes for an entry of its sources: the entry, and its stem. */
export function linesFor(entry: string, minLength: number): string[] {
  const stem = stemOf(entry)
  return [...(entry.length >= minLength ? [entry] : []), ...(stem.length >= minStem ? [stem] : [])].map(foldPassword)
}
