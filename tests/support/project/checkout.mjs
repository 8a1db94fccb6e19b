import { execFileSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

/** Copies what a clone of this repository would have, changes that are not committed yet included. @param {string} folder */
export function copySources(folder) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(folder, file))
}

/**
 * Adds the packages of `from` that `to` lacks; Next takes none from outside its folder. Hard links cost no space, but exist
 * within one file system only.
 *
 * @param {string} from
 * @param {string} to
 */
export function copyPackages(from, to) {
  const copy = (/** @type {string} */ option) =>
    execFileSync('cp', [option, join(from, 'node_modules'), to], { stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    copy('-aln')
  } catch {
    copy('-Rn')
  }
}
