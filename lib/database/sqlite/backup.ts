import { randomBytes } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeDurable, makePrivateFolder, openNewPrivate } from '@/lib/process/files'
import { databaseFile } from '@/lib/settings/deployment'
import type { PrismaClient } from '../generated/sqlite/client'
import { applyMigrations, migrationsFolder } from '../migrations'
import { sqliteMigrations } from './dialect'
import { openDatabase, primaryCode, resultCodes } from './driver'

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

const sidecars = ['-wal', '-shm', '-journal']

/**
 * Copies a backup next to the database that it is to replace, checks the copy and migrates it. Leaves the database itself, so
 * that a failure changes nothing.
 *
 * @returns the URL of the copy, for `putInPlace` or `discard`
 * @throws Error for operators if the file is damaged or newer than this version, or if a server is running
 */
export async function stageBackup(file: string, databaseUrl: string): Promise<string> {
  const database = databaseFile(databaseUrl)
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  // Rejects a file with a log: SQLite would apply the log to any database of that name, and without it, its contents could be
  // lost.
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new Error(`${file} is not complete: it has a write-ahead log beside it. Restore a file that backup has made.`)
  makePrivateFolder(dirname(database))
  await lock(database).then((release) => release())
  const copy = `${database}.${randomBytes(4).toString('hex')}.restore`
  const url = `file:${copy}`
  try {
    await pipeline(createReadStream(file), createWriteStream(copy, { fd: openNewPrivate(copy, database) }))
    await requireBackup(copy, file)
    await migrateCopy(url)
    return url
  } catch (error) {
    discard(url)
    throw error
  }
}

async function requireBackup(copy: string, file: string): Promise<void> {
  const database = await openDatabase(copy, 0)
  try {
    const [first] = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
    if (first?.integrity_check !== 'ok') throw new Error(`${file} is damaged: ${first?.integrity_check}`)
    const history = database.prepare(`SELECT 1 FROM sqlite_master WHERE "name" = '_prisma_migrations'`).get()
    if (!history) throw new Error(`${file} is a database, but not one of Latchkey.`)
  } catch (error) {
    if (codeOf(error) === resultCodes.notADatabase) throw new Error(`${file} is not a backup of the embedded database.`)
    if (codeOf(error) === resultCodes.corrupt) throw new Error(`${file} is damaged.`)
    throw error
  } finally {
    database.close()
  }
}

async function migrateCopy(url: string): Promise<void> {
  const adapter = await sqliteMigrations.connect(url)
  try {
    await applyMigrations(sqliteMigrations, adapter, migrationsFolder(sqliteMigrations))
  } finally {
    await adapter.dispose()
  }
}

/** Replaces the database with a staged copy; close the copy first. @throws Error if a server is running */
export async function putInPlace(copyUrl: string, databaseUrl: string): Promise<void> {
  const [copy, database] = [databaseFile(copyUrl), databaseFile(databaseUrl)]
  makeDurable(copy)
  const release = await lock(database)
  try {
    // The log belongs to the old database, and SQLite would apply it to the new one.
    for (const suffix of sidecars) rmSync(database + suffix, { force: true })
    // Releases the lock first, because Windows replaces no open file.
    if (process.platform === 'win32') release()
    const old = existsSync(database) && process.platform !== 'win32' ? openSync(database, 'r+') : null
    renameSync(copy, database)
    // A starting server has the old file open and waits for the lock: it must fail instead of writing to a file without
    // a name.
    if (old !== null) {
      writeSync(old, 'replaced by a backup', 0)
      closeSync(old)
    }
  } finally {
    release()
  }
  makeDurable(database)
}

export function discard(copyUrl: string): void {
  for (const suffix of ['', ...sidecars]) rmSync(databaseFile(copyUrl) + suffix, { force: true })
}

/**
 * Takes the exclusive lock, which fails while any process has the database open, and moves the log's contents into the
 * file. A database that is missing or destroyed has no lock.
 */
async function lock(file: string): Promise<() => void> {
  if (!existsSync(file)) return () => undefined
  const database = await openDatabase(file, 0)
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    database.exec('PRAGMA journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (codeOf(error) === resultCodes.busy) {
      database.close()
      throw new Error(`Another process, such as the server, has ${file} open. Stop it first.`)
    }
    if (codeOf(error) !== resultCodes.corrupt && codeOf(error) !== resultCodes.notADatabase) {
      database.close()
      throw error
    }
  }
  return () => {
    if (database.isOpen) database.close()
  }
}

/** Reads the primary result code of an error of the driver. */
const codeOf = (error: unknown) =>
  error instanceof Error && 'errcode' in error ? primaryCode(Number(error.errcode)) : Number.NaN
