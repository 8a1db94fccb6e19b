import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** CI must have every program, and skips no test. */
export const inCi = Boolean(process.env.CI)

/** Where programs are. Debian keeps servers off the PATH of users. */
export const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin']

/** The path of the first of these programs on this machine, or null. */
export const findProgram = (...names: string[]): string | null =>
  folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null
