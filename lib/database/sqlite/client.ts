import { totalmem } from 'node:os'
import { dirname } from 'node:path'
import { createPrivate, makePrivate, makePrivateFolder } from '@/lib/process/files'
import { databaseFile } from '@/lib/settings/deployment'
import { adapterFactory, type Connection } from '../dialect'
import { PrismaClient } from '../generated/sqlite/client'
import { measured } from '../measured'
import { sqliteAdapterFactory } from './adapter'

/** A request that waits longer than this for another process's write fails with 503. */
const busyMilliseconds = 400
/** The same for an operator's command, which can wait longer. */
const commandWaitMilliseconds = 10_000
/** A command's transaction may change millions of rows. */
const commandMilliseconds = 600_000

/** Creates a missing database and folder, readable by their owner only. */
export function sqliteFactory(databaseUrl: string, patience: number) {
  const file = databaseFile(databaseUrl)
  makePrivateFolder(dirname(file))
  // Creates the database first, because SQLite gives a new -wal and -shm the mode of the database.
  createPrivate(file)
  for (const suffix of ['', '-wal', '-shm']) makePrivate(file + suffix)
  return sqliteAdapterFactory(file, patience)
}

export async function openSqlite(databaseUrl: string, forCommand = false): Promise<Connection> {
  const patience = forCommand ? commandWaitMilliseconds : busyMilliseconds
  const adapter = await measured(sqliteFactory(databaseUrl, patience), 'sqlite').connect()
  const client = new PrismaClient({
    adapter: adapterFactory(adapter),
    omit: { user: { passwordHash: true } },
    // Waits longer than Prisma, which ends the wait for a transaction after two seconds, and a transaction after five.
    ...(forCommand && { transactionOptions: { maxWait: 2 * commandWaitMilliseconds, timeout: commandMilliseconds } }),
  })
  // Sets these once, because the adapter keeps one connection. `secure_delete` overwrites deleted rows with zeros: a stolen
  // file must not contain deleted accounts and replaced password hashes.
  await adapter.executeScript(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON',
  )
  await adapter.executeScript(`PRAGMA cache_size = -${cacheKibibytes()}`)
  // Reads something, which opens the log.
  await adapter.executeScript('SELECT 1 FROM "sqlite_master"')
  // Holds each response until the disk has its commit: a power cut could otherwise restore a revoked session or a consumed
  // challenge.
  adapter.flushBeside(`${databaseFile(databaseUrl)}-wal`)
  return {
    client,
    adapter,
    textOf: (template) => template.join('?'),
    mustRestart: () => adapter.mustRestart,
    async close() {
      await client.$disconnect()
      await adapter.dispose()
    },
  }
}

/** Computes an eighth of the machine's or the container's memory, at most 256 MB. */
function cacheKibibytes(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.floor(Math.min(memory / 8, 256 * 1024 ** 2) / 1024)
}
