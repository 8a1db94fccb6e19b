import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Writes a generated file. With `check`, only compares it: a difference sets exit code 1.
 *
 * @param {string} file
 * @param {string} text
 * @param {{ check: boolean, command: string }} how `command` makes the file, such as `npm run walls`
 */
export function writeMadeFile(file, text, { check, command }) {
  if (!check) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is out of date. Run: ${command}`)
    process.exitCode = 1
  }
}
