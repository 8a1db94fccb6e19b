import os from 'node:os'
import { compareSync, getRounds, hashSync } from 'bcryptjs'
import { isImported, recordFastest, verifyImported } from './imported-hash'

// Lowers the priority of this thread, so that hashing does not delay the main one; elsewhere than on Linux, it would lower
// both.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)

/**
 * @param {{ inputs: string[], hash: string | null, cost: number }} task `inputs`: forms of a password, of which only an
 *   imported hash can have more than one
 * @returns {boolean | string} whether the password matches; without a hash, a new one
 */
export default function verifyOrHash({ inputs, hash, cost }) {
  const [password = ''] = inputs
  if (hash === null) return recordFastest('bcrypt', 2 ** cost, () => hashSync(password, cost))
  const { matches, rounds } = isImported(hash) ? verifyImported(inputs, hash) : verify(password, hash)
  if (!matches) makeUp(2 ** cost - rounds)
  return matches
}

/** @param {string} password @param {string} hash */
function verify(password, hash) {
  const rounds = 2 ** getRounds(hash)
  return { matches: recordFastest('bcrypt', rounds, () => compareSync(password, hash)), rounds }
}

const leastCost = 4

/**
 * Failures take the work of one hash at the configured cost: counted, as time depends on load.
 *
 * @param {number} rounds missing
 */
function makeUp(rounds) {
  for (let cost = leastCost; 2 ** cost <= rounds; cost++)
    if (Math.floor(rounds / 2 ** cost) % 2) recordFastest('bcrypt', 2 ** cost, () => hashSync('', cost))
}
