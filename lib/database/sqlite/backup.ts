import { closeSync, openSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { makeDurable } from '@/lib/process/files'
import type { PrismaClient } from '../generated/sqlite/client'
import { openDatabase } from './driver'

/**
 * Copies the database into a new file that only its owner can read, beside a running server. `VACUUM INTO` reads a
 * snapshot; the backup API would start over at each write of another process.
 *
 * @returns how many accounts are in the copy
 * @throws Error for operators if the file exists
 */
export async function backUp(db: Pick<PrismaClient, '$executeRaw'>, file: string): Promise<number> {
  // Creates the file first, because SQLite would give it the mode that the umask leaves.
  closeSync(createNew(file))
  try {
    await db.$executeRaw`VACUUM INTO ${resolve(file)}`
    const count = await countAccounts(file)
    makeDurable(file)
    return count
  } catch (error) {
    rmSync(file)
    throw error
  }
}

/** Counts in the copy, because people may have made accounts since. */
async function countAccounts(file: string): Promise<number> {
  const copy = await openDatabase(file, 0)
  try {
    return (copy.prepare('SELECT count(*) AS "count" FROM "User"').get() as { count: number }).count
  } finally {
    copy.close()
  }
}

function createNew(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Error(`${file} exists, and a backup overwrites nothing. Name another file.`)
  }
}
