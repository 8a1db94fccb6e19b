import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ignoreEnvFiles, readEnvFile } from '@/lib/settings/env-files.mjs'
import { settingNames } from '@/lib/settings/settings'

export const folderName = '.latchkey'

/** Ends the command with a sentence. Code 2: it was typed wrong, or a file is. */
export class DevError extends Error {
  override readonly name = 'DevError'
  readonly exitCode: 1 | 2

  constructor(sentence: string, exitCode: 1 | 2 = 1) {
    super(sentence)
    this.exitCode = exitCode
  }
}

/** What `latchkey dev` decides itself, and what would lead somewhere else than to this machine. */
const refused =
  /^(DATABASE_URL(_UNPOOLED)?|REDIS_URL|KV_REST_API_.*|UPSTASH_REDIS_REST_.*|SMTP_.*|APP_ORIGIN|HOST|PORT|BACKEND_URL|VERCEL|APPLY|NODE_ENV)$/

/** @throws DevError */
export function readSettingsFile(path: string): Record<string, string> {
  if (!existsSync(path)) throw new DevError(`--env-file: there is no file ${path}.`, 2)
  const given = Object.entries(readEnvFile(path)).filter(([, value]) => value !== undefined)
  const names = given.map(([name]) => name).filter((name) => refused.test(name))
  if (names.length > 0)
    throw new DevError(
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
