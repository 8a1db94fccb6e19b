// Writes the list that new passwords are compared with: sorted lines, so that the server searches the file as it is.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { importTypeScript } from '../support/import-typescript.mjs'

const minLength = 8

/** MIT. Passwords come first, then words and names, with which and some digits most other passwords are made. */
const sources = [
  '@zxcvbn-ts/language-common/src/passwords.json',
  '@zxcvbn-ts/language-en/src/commonWords.json',
  '@zxcvbn-ts/language-en/src/wikipedia.json',
  '@zxcvbn-ts/language-en/src/firstnames.json',
  '@zxcvbn-ts/language-en/src/lastnames.json',
]

/** Among the 200 most used of 2023 to 2025, and in no source: providers' defaults, misread keyboards, slogans. */
const additions = [
  'admintelecom',
  'adminisp',
  'gvt12345',
  'turktelekom',
  'telecomadmin',
  'theworldinyourhand',
  'dearbook',
  'zag12wsx',
  '1g2w3e4r',
  'gwerty',
  '111222tianya',
  'g_czechout',
  'indya123',
  'meklozed',
  'cindylee',
  'eliska',
  'aboy1234',
  '868689849',
  '2402301978',
  'aa195043',
  'ar123455',
]

/** @param {string} file */
export async function writeCommonPasswords(file) {
  const { linesFor } = await loadFold()
  const { resolve: find } = createRequire(import.meta.url)
  /** @type {string[]} */
  const entries = sources.flatMap((source) => JSON.parse(readFileSync(find(source), 'utf8')))
  const lines = new Set([...entries, ...additions].flatMap((entry) => linesFor(entry, minLength)))
  const sorted = [...lines].map((line) => Buffer.from(line)).sort(Buffer.compare)
  writeFileSync(file, Buffer.concat(sorted.flatMap((line) => [line, Buffer.from('\n')])))
}

/**
 * The server's own, because a line that is folded otherwise is never found.
 *
 * @returns {Promise<typeof import('../../lib/auth/passwords/common-passwords')>}
 */
const loadFold = () => importTypeScript('lib/auth/passwords/common-passwords.ts')
