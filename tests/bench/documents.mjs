import { readFileSync, writeFileSync } from 'node:fs'
import { write } from './options.mjs'

/**
 * With --write, replaces what is between `<!-- name -->` and `<!-- /name -->`.
 *
 * @param {string} file
 * @param {string} name
 * @param {string} text
 */
export function fillIn(file, name, text) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const whole = readFileSync(file, 'utf8')
  const [from, to] = [whole.indexOf(begin), whole.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${file} has no markers ${begin} and ${end}.`)
  if (write) writeFileSync(file, `${whole.slice(0, from + begin.length)}\n${text}\n${whole.slice(to)}`)
}
