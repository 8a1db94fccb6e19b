import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asyncSingleton } from '@/lib/process/singleton'

/** One string, because a Set takes ten times the memory. Loaded with the first new password. */
const list = () =>
  asyncSingleton(
    'common-passwords',
    async () => `\n${await readFile(join(process.cwd(), 'build/common-passwords.txt'), 'latin1')}`,
  )

export const stemOf = (text: string) => text.replace(/\d+$/, '')

/** Shorter stems with random digits behind them are not common. */
const minStem = 4

/** Ignores case and trailing digits. @param password in NFC */
export async function isCommonPassword(password: string): Promise<boolean> {
  const folded = password.toLowerCase()
  const stem = stemOf(folded)
  if (isPattern(folded)) return true
  const lines = await list()
  if (lines.includes(`\n${folded}\n`)) return true
  return stem.length >= minStem && (isPattern(stem) || hasStem(lines, stem))
}

/** Whether a line is this stem with any digits at its end: `trustno2` stands for `trustno1`. */
function hasStem(lines: string, stem: string): boolean {
  for (let at = lines.indexOf(`\n${stem}`); at >= 0; at = lines.indexOf(`\n${stem}`, at + 1)) {
    const end = lines.indexOf('\n', at + 1)
    if (/^\d*$/.test(lines.slice(at + 1 + stem.length, end))) return true
  }
  return false
}

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')])
const dates =
  /^((0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])(19|20)\d\d|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(19|20)\d\d|(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))$/
/** As long as the longest of the list. */
const maxPattern = 20

/** Repetitions, runs and dates, which the list omits because the estimator it was made for detects them itself. */
function isPattern(text: string): boolean {
  if (text.length > maxPattern) return false
  return /^([a-z0-9]+)\1+$/.test(text) || runs.some((run) => run.includes(text)) || dates.test(text)
}
