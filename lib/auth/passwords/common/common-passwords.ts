import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asyncSingleton } from '@/lib/process/singleton'
import { type Core, coresOf } from './cores'
import { foldPassword, minStem } from './fold'
import { isPattern } from './patterns'

/** Sorted lines as bytes: a Set of them takes ten times the memory. Loaded with the first new password. */
const list = () => asyncSingleton('common-passwords', () => readFile(join(process.cwd(), 'build/common-passwords.txt')))

/**
 * Whether it is a common word or a pattern, with or without additions that help little (decision 0033).
 *
 * @param password in NFC
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const lines = await list()
  // Each once: the forms share most of their cores, and a search takes microseconds.
  const cores = new Map<string, Core>()
  for (const core of formsOf(password.toLowerCase()).flatMap(coresOf))
    if (core.isPlain || !cores.has(core.text)) cores.set(core.text, core)
  return [...cores.values()].some(({ text, isPlain }) => {
    const isWord = /\p{L}/u.test(text)
    if (text.length < minStem) return isPlain && isWord && isPattern(text)
    return (isPlain || isWord) && (isPattern(text) || hasLine(lines, foldPassword(text)))
  })
}

const digitsOfKeys: Record<string, string> = {
  '!': '1',
  '@': '2',
  '#': '3',
  $: '4',
  '%': '5',
  '^': '6',
  '&': '7',
  '*': '8',
  '(': '9',
  ')': '0',
}

/** As it is, with Shift released, and without signs: `!QAZ2wsx`, `pass-word-1`. */
function formsOf(password: string): string[] {
  const unshifted = password.replace(/[!@#$%^&*()]/g, (key) => digitsOfKeys[key] ?? key)
  const bare = password.replace(/[^\p{L}\d]/gu, '')
  return [...new Set([password, unshifted, ...(bare.length >= minBare ? [bare] : [])])]
}

/** Fewer letters and digits among signs are a password for the signs. */
const minBare = 8

const newline = 10

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
