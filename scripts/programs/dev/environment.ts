import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, primaryCode, resultCodes } from '@/lib/database/sqlite/driver'
import { ignoreEnvFiles, readEnvFile } from '@/lib/settings/env-files.mjs'
import { settingNames } from '@/lib/settings/settings'
import { CommandError } from '../accounts/terminal'

export const folderName = '.latchkey'

/** What `latchkey dev` decides itself, and what would lead somewhere else than to this machine. */
const refused =
  /^(DATABASE_URL(_UNPOOLED)?|REDIS_URL|KV_REST_API_.*|UPSTASH_REDIS_REST_.*|SMTP_.*|APP_ORIGIN|HOST|PORT|BACKEND_URL|VERCEL|APPLY|NODE_ENV)$/

/** @throws CommandError */
export function readSettingsFile(path: string): Record<string, string> {
  if (!existsSync(path)) throw new CommandError(`--env-file: there is no file ${path}.`, 2)
  const given = Object.entries(readEnvFile(path)).filter(([, value]) => value !== undefined)
  const names = given.map(([name]) => name).filter((name) => refused.test(name))
  if (names.length > 0)
    throw new CommandError(
      `${path} sets ${names.join(', ')}, which latchkey dev decides itself: its data is in ${folderName}, and --port says where it listens. Leave ${names.length === 1 ? 'it' : 'them'} out.`,
      2,
    )
  return Object.fromEntries(given) as Record<string, string>
}

/**
 * Makes the environment of this process that of a server for development, which it starts with a copy. The files of the working
 * directory, and settings that a shell has exported, are the app's.
 *
 * @param given by --env-file, which Node 20 to 24 reads, too, wherever it stands among the words
 * @returns the names of settings that were inherited and are ignored
 */
export function setEnvironment(own: Record<string, string>, given: Record<string, string> = {}): string[] {
  ignoreEnvFiles()
  const ignored = [...new Set(settingNames())].filter((name) => process.env[name] && process.env[name] !== given[name])
  // What names another server for commands is dropped as well: they act on the data here.
  for (const name of [...settingNames(), 'LATCHKEY_URL', 'LATCHKEY_KEY']) delete process.env[name]
  Object.assign(process.env, given, own, { NODE_ENV: 'production', __NEXT_PROCESSED_ENV: 'true' })
  return ignored
}

export const databaseUrl = (folder: string) => `file:${join(folder, 'latchkey.db')}`

/**
 * Makes the folder of the data, which holds keys that sign people in: nobody else may open it, and git never sees it.
 *
 * @throws CommandError if it is no folder of one's own
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
    throw new CommandError(`${path} is no folder, or a link to one. Remove it: latchkey dev makes its own.`)
  if (process.getuid && about.uid !== process.getuid())
    throw new CommandError(
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
    throw new CommandError(`git does not say whether it tracks ${folderName}. ${stderr.trim()}`)
  if (stdout)
    throw new CommandError(
      `git tracks ${folderName}, and with it keys that sign in. Take it out: git rm -r --cached ${folderName}`,
    )
  chmodSync(path, 0o700)
  if (readText(join(path, '.gitignore')) !== '*\n') writePrivate(join(path, '.gitignore'), '*\n')
}

/**
 * Keeps a second `latchkey dev` out of the folder until this process ends, however it ends: a file with a process id would outlive
 * a killed one.
 *
 * @throws CommandError if one runs
 */
export async function lockFolder(path: string): Promise<void> {
  const lock = await openDatabase(join(path, 'lock'), 0)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (primaryCode(Number((error as { errcode?: number }).errcode)) !== resultCodes.busy) throw error
    throw new CommandError(`latchkey dev already runs in this folder. It has ${folderName} for itself.`)
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
