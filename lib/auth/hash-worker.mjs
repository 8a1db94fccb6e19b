import os from 'node:os'
import { compareSync, hashSync } from 'bcryptjs'

// On Linux this affects the thread alone, so that hashing does not delay the main thread.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)

/**
 * @param {{ password: string, hash: string } | { password: string, cost: number }} task
 * @returns {boolean | string}
 */
export default function bcrypt(task) {
  return 'hash' in task ? compareSync(task.password, task.hash) : hashSync(task.password, task.cost)
}
