// Writes the list that new passwords are compared with. As one file of lines it takes a tenth of the memory that the
// package's modules take once they are loaded.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const minLength = 8
const minStem = 4

/** Leaves out entries that no password of eight characters can match, even with digits at its end. */
const isUseful = (/** @type {string} */ entry) =>
  entry.length >= minLength || entry.replace(/\d+$/, '').length >= minStem

/** @param {string} file */
export function writeCommonPasswords(file) {
  const source = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json')
  /** @type {string[]} */
  const entries = JSON.parse(readFileSync(source, 'utf8'))
  const lines = entries.map((entry) => entry.toLowerCase()).filter(isUseful)
  writeFileSync(file, `${lines.join('\n')}\n`)
}
