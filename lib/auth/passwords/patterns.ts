/* Texts that follow a pattern: repetitions, runs of letters and keys, dates. */

/** True for repetitions, runs and dates, which the list of common passwords omits because this function finds them all. */
export const isPattern = (text: string): boolean => isRepetition(text) || isRun(text) || dates.test(text)

/** True for one character again and again, and for keys and letters in a row. */
export const isRun = (text: string): boolean =>
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
