import { quick } from './options.mjs'

/** @param {number[]} values */
export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/**
 * What each measurement finds in several rounds. They take turns, so that a slower machine affects all alike, and one round
 * that does not count warms each up.
 *
 * @template {string} Name
 * @template Result
 * @param {Record<Name, () => Promise<Result>>} measurements
 * @param {number} [rounds]
 * @returns {Promise<Record<Name, Result[]>>}
 */
export async function inTurns(measurements, rounds = 3) {
  const names = /** @type {Name[]} */ (Object.keys(measurements))
  const found = mapValues(measurements, () => /** @type {Result[]} */ ([]))
  for (let round = quick ? 0 : -1; round < (quick ? 1 : rounds); round++) {
    for (const name of names) {
      const value = await measurements[name]()
      if (round >= 0) found[name].push(value)
    }
    // The next round goes the other way, so that none always follows the same one.
    names.reverse()
  }
  return found
}

/**
 * The medians of measurements that take turns.
 *
 * @template {string} Name
 * @param {Record<Name, () => Promise<number>>} measurements
 * @param {number} [rounds]
 */
export const interleaved = async (measurements, rounds) => mapValues(await inTurns(measurements, rounds), median)

/**
 * @template {string} Name
 * @template From
 * @template To
 * @param {Record<Name, From>} record
 * @param {(value: From) => To} map
 */
export const mapValues = (record, map) =>
  /** @type {Record<Name, To>} */ (
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(/** @type {From} */ (value))]))
  )
