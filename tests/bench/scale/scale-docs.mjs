// Writes what the sizes were found to cost into the documents, between their markers.
import { writeFileSync } from 'node:fs'
import { fillIn } from '../documents.mjs'
import { write } from '../options.mjs'
import { chart } from './chart.mjs'

/** @typedef {{ name: string, rates: Record<string, number[]> }} Found by size, the smallest first */

export const kinds = {
  check: 'session checks',
  options: 'passkey options',
  signIn: 'password sign-ins',
  signUp: 'sign-ups',
  passkey: 'passkey sign-ins',
}
const titles = /** @type {Record<string, string>} */ (kinds)

/** For example 10^6, or the number itself. @param {number} [size] */
export function power(size = Number.NaN) {
  const exponent = Math.log10(size)
  return Number.isInteger(exponent) ? `10^${exponent}` : String(size)
}

/** @param {number[]} sizes @param {Found[]} found @param {import('../report.mjs').Report} report */
export function writeScale(sizes, found, report) {
  if (write) writeFileSync('docs/evidence/benchmarks.svg', chart(sizes.map(power), found.map(toPanel)))
  fillIn(
    'docs/evidence/benchmarks.md',
    'scale',
    `![Rates by the number of accounts](benchmarks.svg)\n\n${report.table()}`,
  )
}

/** @param {Found} found */
const toPanel = ({ name, rates }) => ({
  title: name,
  lines: Object.entries(rates).map(([kind, values]) => ({
    name: titles[kind] ?? kind,
    values: values.map((value) => value / (values[0] ?? Number.NaN)),
  })),
})
