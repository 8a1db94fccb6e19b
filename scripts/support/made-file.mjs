import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Writes a file that a command makes. To check, only compares: a difference makes the command exit with 1.
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
