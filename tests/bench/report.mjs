import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/**
 * @typedef {object} Row
 * @property {string} what
 * @property {string} against what the ratio divides by
 * @property {number} ratio or an amount above it, in `unit`
 * @property {string} [unit]
 * @property {number} [goal]
 * @property {'at least' | 'at most'} better which side of the goal is good
 * @property {string} found absolute figures, which differ between machines
 */

/** What a command found: a table on the terminal and JSON beside the build. */
export class Report {
  /** @type {Row[]} */
  rows = []
  /** @type {string} */
  #name

  /** @param {string} name of the file */
  constructor(name) {
    this.#name = name
    console.log(
      `Node ${process.version}, ${availableParallelism()} cores. Ratios hold on other machines, rates do not.`,
    )
  }

  /** @param {Row} row */
  add(row) {
    this.rows.push(row)
    console.log(line(row))
  }

  /** @returns {string} the rows as a table in Markdown */
  table() {
    const lines = this.rows.map((row) => {
      const goal = row.goal === undefined ? '' : `${row.better} ${row.goal}`
      return `| ${row.what} | ${row.against} | ${short(row.ratio)}${row.unit ?? ''} | ${goal} | ${verdict(row)} | ${row.found} |`
    })
    return ['| what | against | ratio | goal | | found |', '|---|---|---|---|---|---|', ...lines].join('\n')
  }

  /** Prints the table, writes the JSON and sets the exit code to 1 if a goal is missed. @param {object} [more] */
  finish(more = {}) {
    console.log(`\n${this.table()}`)
    mkdirSync('build', { recursive: true })
    const environment = { node: process.version, cores: availableParallelism(), at: new Date().toISOString() }
    const file = `build/${this.#name}.json`
    writeFileSync(file, `${JSON.stringify({ ...environment, rows: this.rows, ...more }, null, 2)}\n`)
    console.log(`\nWritten to ${file}`)
    if (this.rows.some((row) => verdict(row) === 'MISSED')) process.exitCode = 1
  }
}

/** Three digits. @param {number} value */
export const short = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** @param {Row} row */
function verdict({ ratio, goal, better }) {
  if (goal === undefined) return ''
  return (better === 'at least' ? ratio >= goal : ratio <= goal) ? 'kept' : 'MISSED'
}

/** @param {Row} row */
const line = (row) =>
  `${verdict(row).padEnd(6)} ${row.what}: ${short(row.ratio)}${row.unit ?? ' times'} against ${row.against} (${row.found})`
