/** @param {number[]} values */
export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/**
 * The median of what each measurement finds in several rounds. They take turns, so that a slower machine affects all alike,
 * and one round that does not count warms each up.
 *
 * @template {string} Name
 * @param {Record<Name, () => Promise<number>>} measurements
 * @param {number} [rounds]
 * @returns {Promise<Record<Name, number>>}
 */
export async function interleaved(measurements, rounds = 3) {
  const names = /** @type {Name[]} */ (Object.keys(measurements))
  const found = /** @type {Record<string, number[]>} */ (Object.fromEntries(names.map((name) => [name, []])))
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const value = await measurements[name]()
      if (round >= 0) found[name]?.push(value)
    }
    // The next round goes the other way, so that none always follows the same one.
    names.reverse()
  }
  const medians = names.map((name) => /** @type {const} */ ([name, median(found[name] ?? [])]))
  return /** @type {Record<Name, number>} */ (Object.fromEntries(medians))
}
