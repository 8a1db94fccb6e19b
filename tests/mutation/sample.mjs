import { createHash } from 'node:crypto'

/** @typedef {import('./instrument.mjs').Mutant} Mutant */

/**
 * Chooses mutants, of each folder in proportion to how many it has. A digest of seed and mutant decides, so that a change of
 * one file leaves the choice in others nearly as it was.
 *
 * @param {Mutant[]} mutants
 * @param {number} count
 * @param {string} seed
 * @returns {Mutant[]} in the order in which they are tried; a part of them from the start is a sample, too
 */
export function sample(mutants, count, seed) {
  const rank = new Map(mutants.map(({ key }) => [key, createHash('sha256').update(`${seed} ${key}`).digest('hex')]))
  const byRank = (/** @type {Mutant} */ a, /** @type {Mutant} */ b) =>
    (rank.get(a.key) ?? '').localeCompare(rank.get(b.key) ?? '')
  /** @type {Map<string, Mutant[]>} */
  const folders = new Map()
  for (const mutant of mutants) folders.set(mutant.folder, [...(folders.get(mutant.folder) ?? []), mutant])
  const parts = [...folders.values()].map((all) => {
    const exact = (all.length * count) / mutants.length
    return { all, taken: Math.floor(exact), rest: exact % 1 }
  })
  // The largest remainders make up what rounding down leaves.
  const missing = Math.min(count, mutants.length) - parts.reduce((sum, { taken }) => sum + taken, 0)
  for (const part of parts.sort((a, b) => b.rest - a.rest).slice(0, missing)) part.taken += 1
  return parts.flatMap(({ all, taken }) => all.sort(byRank).slice(0, taken)).sort(byRank)
}
