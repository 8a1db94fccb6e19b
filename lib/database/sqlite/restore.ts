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
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { databaseFile } from '@/lib/settings/database-url'
import { makePrivateFolder } from '@/lib/settings/private-files'
import { applyMigrations } from '../dialect/migrations'
import { sync } from './backup'
import { openDatabase } from './driver'
import { sqliteMigrations } from './migrations'

/** https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

const sidecars = ['-wal', '-shm', '-journal']

/**
 * Copies a backup beside the database that it is to replace, checks it, and migrates it to this version of Latchkey. The
 * database itself stays as it is, so that whatever fails changes nothing.
 *
 * @returns the URL of the copy, for `putInPlace` or `discard`
 * @throws Error with a sentence if the file is no sound backup, if it is newer than this version, or if a server runs
 */
export async function stageBackup(file: string, databaseUrl: string): Promise<string> {
  const database = databaseFile(databaseUrl)
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  // SQLite would apply a log to any database of that name, and restoring without it could lose what it holds.
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new Error(`${file} is not complete: it has a write-ahead log beside it. Restore a file that backup has made.`)
  makePrivateFolder(dirname(database))
  await lock(database).then((release) => release())
  const copy = `${database}.${randomBytes(4).toString('hex')}.restore`
  const url = `file:${copy}`
  try {
    await pipeline(createReadStream(file), createWriteStream(copy, { flags: 'wx', mode: 0o600 }))
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
    if (codeOf(error) === SQLITE_NOTADB) throw new Error(`${file} is not a backup of the embedded database.`)
    if (codeOf(error) === SQLITE_CORRUPT) throw new Error(`${file} is damaged.`)
    throw error
  } finally {
    database.close()
  }
}

/** @throws Error with a sentence if it is newer than this version of Latchkey */
async function migrateCopy(url: string): Promise<void> {
  const connection = await sqliteMigrations.connect(url, 0)
  try {
    await applyMigrations(
      sqliteMigrations,
      connection,
      join(process.cwd(), 'prisma', sqliteMigrations.provider, 'migrations'),
    )
  } finally {
    await connection.dispose()
  }
}

/**
 * Replaces the database by a staged copy that nobody has open any more.
 *
 * @throws Error with a sentence if a server runs
 */
export async function putInPlace(copyUrl: string, databaseUrl: string): Promise<void> {
  const [copy, database] = [databaseFile(copyUrl), databaseFile(databaseUrl)]
  sync(copy)
  const release = await lock(database)
  try {
    // The log belongs to the old database, and SQLite would apply it to the new one.
    for (const suffix of sidecars) rmSync(database + suffix, { force: true })
    // Windows replaces no file that is open.
    if (process.platform === 'win32') release()
    const old = existsSync(database) && process.platform !== 'win32' ? openSync(database, 'r+') : null
    renameSync(copy, database)
    // A server that is starting has the old file open and waits for the lock: it must fail instead of writing to a file that
    // no longer has a name.
    if (old !== null) {
      writeSync(old, 'replaced by a backup', 0)
      closeSync(old)
    }
  } finally {
    release()
  }
  sync(database)
}

/** Removes a staged copy, if it is still there. */
export function discard(copyUrl: string): void {
  for (const suffix of ['', ...sidecars]) rmSync(databaseFile(copyUrl) + suffix, { force: true })
}

/**
 * Takes the exclusive lock of a database, which no process that has it open leaves to us; afterwards all it holds is in its
 * file. A database that is missing or destroyed has no lock to take.
 *
 * @throws Error with a sentence if another process has the database open
 */
async function lock(file: string): Promise<() => void> {
  if (!existsSync(file)) return () => undefined
  const database = await openDatabase(file, 0)
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    database.exec('PRAGMA journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (codeOf(error) === SQLITE_BUSY) {
      database.close()
      throw new Error(`Another process, such as the server, has ${file} open. Stop it first.`)
    }
    if (![SQLITE_CORRUPT, SQLITE_NOTADB].includes(codeOf(error))) {
      database.close()
      throw error
    }
  }
  return () => {
    if (database.isOpen) database.close()
  }
}

/** The primary result code of an error of the driver. */
const codeOf = (error: unknown) =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : Number.NaN
