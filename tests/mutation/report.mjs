import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {import('./instrument.mjs').Mutant} Mutant */
/** @typedef {import('./trial.mjs').Outcome} Outcome */
/** @typedef {{ file: string, original: string, replacement: string, why: string }} Explained a mutant that no test can tell from the original */

/** @type {Explained[]} */
const explained = JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8'))

/** @param {Mutant} mutant */
const reasonOf = ({ file, original, replacement }) =>
  explained.find((one) => one.file === file && one.original === original && one.replacement === replacement)?.why

/**
 * Prints what survived, and a row for each folder as docs/testing.md has it.
 *
 * @param {Mutant[]} chosen
 * @param {Map<string, Outcome>} outcomes by the mutants' keys
 * @param {string} seed
 */
export function report(chosen, outcomes, seed) {
  const judged = chosen.flatMap((mutant) => {
    const outcome = outcomes.get(mutant.key)
    return outcome ? [{ mutant, outcome: outcome.status, why: reasonOf(mutant) }] : []
  })
  const killed = (/** @type {string} */ status) => status === 'killed' || status === 'timeout'
  for (const { mutant, outcome, why } of judged) {
    if (killed(outcome) || why) continue
    console.log(`\n${outcome} ${mutant.file}:${mutant.line} ${mutant.key}`)
    console.log(`  - ${mutant.original}\n  + ${mutant.replacement}`)
  }
  const row = (/** @type {string} */ name, /** @type {typeof judged} */ of) => {
    const dead = of.filter(({ outcome }) => killed(outcome)).length
    const equivalent = of.filter(({ outcome, why }) => !killed(outcome) && why).length
    const unreached = of.filter(({ outcome, why }) => outcome === 'unreached' && !why).length
    const score = Math.round(((dead + equivalent) / of.length) * 100)
    const open = of.filter(({ outcome, why }) => outcome === 'open' && !why).length
    const survived = of.length - dead - equivalent - unreached - open
    console.log(`| ${[name, of.length, dead, equivalent, survived, unreached, open, `${score} %`].join(' | ')} |`)
  }
  console.log(`\n${judged.length} of ${chosen.length} mutants, seed ${seed}\n`)
  console.log(
    '| folder | mutants | killed | equivalent | survived | not reached | open | score |\n|---|---|---|---|---|---|---|---|',
  )
  const folders = [...new Set(judged.map(({ mutant }) => mutant.folder))].sort()
  for (const name of folders)
    row(
      `\`${name}\``,
      judged.filter(({ mutant }) => mutant.folder === name),
    )
  row('all', judged)
}
