import os from 'node:os'
import { compareSync, getRounds, hashSync } from 'bcryptjs'

// On Linux this affects the thread alone, so that hashing does not delay the main thread.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)

/**
 * @param {{ password: string, hash: string | null, cost: number }} task
 * @returns {boolean | string} whether the password matches; without a hash, a new one
 */
export default function bcrypt({ password, hash, cost }) {
  if (hash === null) return hashSync(password, cost)
  const matches = compareSync(password, hash)
  // The work doubles with each cost, so one hash per missing cost makes up the difference.
  if (!matches) for (let missing = getRounds(hash); missing < cost; missing++) hashSync(password, missing)
  return matches
}
