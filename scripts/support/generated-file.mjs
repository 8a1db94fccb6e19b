import { readFileSync, writeFileSync } from 'node:fs'

/** @typedef {{ check: boolean, command: string }} How `command` generates it, such as `npm run tables` */

/**
 * Writes a generated file. With `check`, only compares it: a difference sets exit code 1.
 *
 * @param {string} file
 * @param {string} text
 * @param {How} how
 */
export function writeGenerated(file, text, { check, command }) {
  if (!check) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is out of date. Run: ${command}`)
    process.exitCode = 1
  }
}

/**
 * The same for a part of a document, between two marks.
 *
 * @param {string} file
 * @param {string} mark
 * @param {string} text
 * @param {How} how
 */
export function writeGeneratedPart(file, mark, text, how) {
  const [start, end] = [`<!-- ${mark}: ${how.command} -->`, `<!-- /${mark} -->`]
  const [before, rest] = readFileSync(file, 'utf8').split(start)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${file} must have the marks ${start} and ${end}.`)
  writeGenerated(file, `${before}${start}\n${text}\n${end}${after}`, how)
}
