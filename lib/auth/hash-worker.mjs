import os from 'node:os'
import { compareSync, hashSync } from 'bcryptjs'

// On Linux this lowers the priority of this thread alone, so that hashing never delays the thread that answers.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)

/**
 * One bcrypt computation, synchronous because this thread does nothing else.
 *
 * @param {{ password: string, hash: string } | { password: string, cost: number }} task compare with a hash, or make one
 * @returns {boolean | string}
 */
export default function bcrypt(task) {
  return 'hash' in task ? compareSync(task.password, task.hash) : hashSync(task.password, task.cost)
}
