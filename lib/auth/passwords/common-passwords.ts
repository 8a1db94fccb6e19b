import { readFile } from 'node:fs/promises'
import { ownFile } from '@/lib/process/files'
import { asyncSingleton } from '@/lib/process/singleton'

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

/* Texts that follow a pattern: repetitions, runs of letters and keys, dates. */

/** True for repetitions, runs and dates, which the list of common passwords omits because this function finds them all. */
const isPattern = (text: string): boolean => isRepetition(text) || isRun(text) || dates.test(text)

/** True for one character again and again, and for keys and letters in a row. */
const isRun = (text: string): boolean =>
  text === text.charAt(0).repeat(text.length) || runs.some((run) => run.includes(text))

/**
 * True if a shorter text repeats, the last time perhaps cut off (`abcabca`). Looks at ASCII only, since attackers do not try
 * repetitions in every script.
 */
const isRepetition = (text: string): boolean =>
  /^[ -~]*$/.test(text) &&
  Array.from({ length: text.length >> 1 }, (_, index) => index + 1).some((length) =>
    text.startsWith(text.slice(length)),
  )

const reversed = (text: string) => [...text].reverse().join('')
const doubled = (text: string) => [...text].map((character) => character.repeat(2)).join('')

const words = (text: string) => text.trim().split(/\s+/)

/** The rows of the English, French and German keyboards, and of digits. */
const rows = words(`
  abcdefghijklmnopqrstuvwxyz 123456789012345678901234567890
  qwertyuiop asdfghjkl zxcvbnm
  azertyuiop qsdfghjklm wxcvbn
  qwertzuiop yxcvbnm`)
/** Runs from key to key across the rows. */
const walks = words(`
  1qaz2wsx3edc4rfv5tgb6yhn7ujm qazwsxedcrfvtgbyhnujm 1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5y6u7i8o9p0
  1a2b3c4d5e6f7g8h9i a1b2c3d4e5f6g7h8i9
  1029384756 147258369 12345678910111213141516 102030405060708090`)
const runs = [...rows.flatMap((row) => [row, doubled(row)]), ...walks].flatMap((run) => [run, reversed(run)])
const dates =
  /^((0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])(19|20)\d\d|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(19|20)\d\d|(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))$/
