import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, primaryCode, resultCodes } from '@/lib/database/sqlite/driver'
import { DevError, folderName } from './settings'

/**
 * Makes the folder of the data, which holds keys that sign people in: nobody else may open it, and git never sees it.
 *
 * @throws DevError if it is no folder of one's own
 */
export function openFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const about = lstatSync(path)
  // A link, or another user's folder, would put the keys where somebody else reads or changes them.
  if (!about.isDirectory())
    throw new DevError(`${path} is no folder, or a link to one. Remove it: latchkey dev makes its own.`)
  if (process.getuid && about.uid !== process.getuid())
    throw new DevError(
      `${path} belongs to another user of this machine. Remove it, or start latchkey dev as that user.`,
    )
  const env = { ...process.env, LC_ALL: 'C' }
  const { stdout, stderr, status } = spawnSync('git', ['ls-files', '--', folderName], {
    cwd: join(path, '..'),
    encoding: 'utf8',
    env,
  })
  // As it does in another user's repository, whose settings could make it run something: so nobody overrules it here.
  if (status && !/not a git repository/.test(stderr))
    throw new DevError(`git does not say whether it tracks ${folderName}. ${stderr.trim()}`)
  if (stdout)
    throw new DevError(
      `git tracks ${folderName}, and with it keys that sign in. Take it out: git rm -r --cached ${folderName}`,
    )
  chmodSync(path, 0o700)
  if (readText(join(path, '.gitignore')) !== '*\n') writePrivate(join(path, '.gitignore'), '*\n')
}

/**
 * Keeps a second `latchkey dev` out of the folder until this process ends, however it ends: a file with a process id would outlive
 * a killed one.
 *
 * @throws DevError if one runs
 */
export async function lockFolder(path: string): Promise<void> {
  const lock = await openDatabase(join(path, 'lock'), 0)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (primaryCode(Number((error as { errcode?: number }).errcode)) !== resultCodes.busy) throw error
    throw new DevError(`latchkey dev already runs in this folder. It has ${folderName} for itself.`)
  }
  held.push(lock)
}

/** Kept from the garbage collector, which would close it. */
const held: unknown[] = []

/** Null if there is none. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}

/** Writes a file that only its owner can read: whole or not at all, since who reads it at once must not see half. */
export function writePrivate(path: string, text: string): void {
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}
