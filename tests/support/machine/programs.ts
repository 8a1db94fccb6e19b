import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** CI must have every program, and skips no test. */
export const inCi = Boolean(process.env.CI)

/** Where programs are. Debian keeps servers off the PATH of users. */
export const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin']

/** The path of the first of these programs on this machine, or null. */
export const findProgram = (...names: string[]): string | null =>
  folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null

/** Whether tests are skipped because this machine lacks what they need, which is said once per run. */
export function isMissing(found: boolean, tests: string): boolean {
  const skips = !found && !inCi
  if (skips && process.env.TEST_WORKER_INDEX === undefined) console.warn(`Skipped: ${tests}.`)
  return skips
}
