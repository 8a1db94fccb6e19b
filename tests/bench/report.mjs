import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { write } from './options.mjs'

/**
 * @typedef {object} Goal
 * @property {'at least' | 'at most'} better which side of the goal is good
 * @property {number} [goal]
 *
 * @typedef {Goal & { what: string, against: string, ratio: number, unit?: string, found: string }} Row `ratio` is an amount
 *   where it has a unit; `found` has absolute figures, which differ between machines
 */

const environment = {
  node: process.version,
  cores: availableParallelism(),
  date: new Date().toISOString().slice(0, 10),
}

const document = 'docs/evidence/benchmarks.md'

/** What a command found: a table on the terminal, in the document with --write, and JSON beside the build. */
export class Report {
  /** @type {Row[]} */
  rows = []
  /** @type {string} */
  #name
  #begun = Date.now()

  /** @param {string} name of the file */
  constructor(name) {
    this.#name = name
    console.log(`Node ${environment.node}, ${environment.cores} cores. Ratios hold on other machines, rates do not.`)
  }

  /** @param {Row} row */
  add(row) {
    this.rows.push(row)
    console.log(line(row))
  }

  /**
   * Adds the ratio of two figures.
   *
   * @param {string} what
   * @param {string} against
   * @param {[value: number, base: number]} figures
   * @param {Goal & { of?: string }} goal and the unit of the figures
   */
  compare(what, against, [value, base], { of = '', ...goal }) {
    this.add({ what, against, ratio: value / base, ...goal, found: `${short(value)}${of}, ${short(base)}${of}` })
  }

  /** @param {string} what */
  progress(what) {
    console.log(`       ${Math.round((Date.now() - this.#begun) / 1000)} s: ${what}`)
  }

  /** @returns {string} when and where, and the rows as a table in Markdown */
  table() {
    const lines = this.rows.map((row) => {
      const goal = row.goal === undefined ? '' : `${row.better} ${row.goal}`
      return `| ${row.what} | ${row.against} | ${short(row.ratio)}${row.unit ?? ''} | ${goal} | ${verdict(row)} | ${row.found} |`
    })
    const head = '| what | against | ratio | goal | | found |\n|---|---|---|---|---|---|'
    const { node, cores, date } = environment
    return `Measured on ${date} with Node ${node.slice(1)} on ${cores} cores.\n\n${[head, ...lines].join('\n')}`
  }

  /**
   * Prints the table, writes it and the JSON, and sets the exit code to 1 if a goal is missed.
   *
   * @param {string} name of the place in the document, between `<!-- name -->` and `<!-- /name -->`
   * @param {object} [more]
   */
  finish(name, more = {}) {
    const table = this.table()
    console.log(`\n${table}`)
    if (write) {
      const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
      const text = readFileSync(document, 'utf8')
      const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)]
      writeFileSync(document, `${text.slice(0, from)}\n${table}\n${text.slice(to)}`)
    }
    mkdirSync('build', { recursive: true })
    const file = `build/${this.#name}.json`
    writeFileSync(file, `${JSON.stringify({ ...environment, rows: this.rows, ...more }, null, 2)}\n`)
    this.progress(`written to ${file}`)
    if (this.rows.some((row) => verdict(row) === 'MISSED')) process.exitCode = 1
  }
}

/** Three digits. @param {number} value */
export function short(value) {
  if (Number.isInteger(value)) return String(value)
  return Math.abs(value) >= 99.95 ? value.toFixed(0) : value.toPrecision(3)
}

/** For example 10^6, or the number itself. @param {number} [size] */
export function power(size = Number.NaN) {
  const exponent = Math.log10(size)
  return Number.isInteger(exponent) ? `10^${exponent}` : String(size)
}

/** @param {Row} row @param {number} goal */
const keeps = ({ ratio, better }, goal) => (better === 'at least' ? ratio >= goal : ratio <= goal)

/** @param {Row} row */
const verdict = (row) => (row.goal === undefined ? '' : keeps(row, row.goal) ? 'kept' : 'MISSED')

/** @param {Row} row */
const line = (row) =>
  `${verdict(row).padEnd(6)} ${row.what}: ${short(row.ratio)}${row.unit ?? ' times'} against ${row.against} (${row.found})`
