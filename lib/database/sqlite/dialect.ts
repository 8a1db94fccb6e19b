import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { ownFile } from '@/lib/process/files'
import { databaseFile } from '@/lib/settings/deployment'
import { settings } from '@/lib/settings/settings'
import { brokenReferences, type Client, type Dialect } from '../dialect'
import { expiredAt } from '../expired-rows'
import { lockMilliseconds, type MigrationDialect } from '../migrations'
import { openSqlite, sqliteFactory } from './client'

/** SQLITE_CORRUPT and SQLITE_NOTADB in words. */
const isDamage = /database disk image is malformed|file is not a database/

const findDamage: Dialect['findDamage'] = async (db, inRows) => {
  try {
    const damage = await damagedFile(db)
    // A damaged file supports no further checks.
    return damage.length > 0 ? damage : [...(await danglingRows(db)), ...(await inRows())]
  } catch (error) {
    // Some damage makes the check itself fail.
    if (error instanceof Error && isDamage.test(error.message)) return ['The database file is damaged.']
    throw error
  }
}

async function damagedFile(db: Client): Promise<string[]> {
  const rows = await db.$queryRaw<{ integrity_check: string }[]>`PRAGMA integrity_check(100)`
  return rows.flatMap(({ integrity_check: line }) => (line === 'ok' ? [] : [`The database file is damaged: ${line}`]))
}

/** Finds rows that refer to deleted ones, which a tool leaves behind that keeps foreign keys off, SQLite's default. */
async function danglingRows(db: Client): Promise<string[]> {
  const rows = await db.$queryRaw<{ table: string; parent: string; count: number | bigint }[]>`
    SELECT "table", "parent", COUNT(*) AS "count" FROM pragma_foreign_key_check GROUP BY "table", "parent"`
  return rows.map(({ table, parent, count }) => brokenReferences(Number(count), table, parent))
}

const purge: Dialect['purge'] = async ({ adapter }, now, signal) => {
  // Most often nothing has expired, and starting a thread costs more than looking.
  if (await anyExpired(adapter, now)) await purgeInThread(databaseFile(settings().databaseUrl), now, signal)
}

async function anyExpired(adapter: SqlDriverAdapter, now: number): Promise<boolean> {
  for (const { table, time, before } of expiredAt(now)) {
    const sql = `SELECT 1 FROM "${table}" WHERE "${time}" < ? LIMIT 1`
    const { rows } = await adapter.queryRaw({
      sql,
      args: [before],
      argTypes: [{ scalarType: 'bigint', arity: 'scalar' }],
    })
    if (rows.length > 0) return true
  }
  return false
}

export interface PurgeTask {
  file: string
  now: number
}

/**
 * Purges in another thread, which ends afterwards: in this one, a write to the disk or a checkpoint would delay every request.
 * Throws the thread's errors.
 */
async function purgeInThread(file: string, now: number, signal?: AbortSignal): Promise<void> {
  const workerData: PurgeTask = { file, now }
  const worker = new Worker(ownFile('build/purge-worker.mjs'), { workerData })
  const stop = () => worker.postMessage('stop')
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    await once(worker, 'exit')
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

export const sqliteMigrations: MigrationDialect = {
  provider: 'sqlite',
  connect: (databaseUrl, patience = lockMilliseconds) => sqliteFactory(databaseUrl, patience).connect(),
  async begin(adapter) {
    // Turns foreign keys off, because a migration that rebuilds a table would cascade into the rows that refer to it. SQLite
    // ignores the pragma inside a transaction, so this precedes BEGIN.
    await adapter.executeScript(
      'PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE',
    )
    return {
      run: (sql) => adapter.executeScript(sql),
      query: (sql) => query(adapter, sql),
      async verify() {
        const { rows } = await query(adapter, 'PRAGMA foreign_key_check')
        if (rows.length > 0) throw new Error('A migration breaks a foreign key; no migration was applied.')
      },
      commit: () => adapter.executeScript('COMMIT'),
      rollback: () => adapter.executeScript('ROLLBACK'),
    }
  },
  createHistory: `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" TEXT PRIMARY KEY NOT NULL,
    "checksum" TEXT NOT NULL,
    "finished_at" DATETIME,
    "migration_name" TEXT NOT NULL,
    "logs" TEXT,
    "rolled_back_at" DATETIME,
    "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0
  )`,
  hasHistory: `SELECT 1 FROM sqlite_master WHERE "type" = 'table' AND "name" = '_prisma_migrations'`,
  now: () => String(Date.now()),
}

const query = (adapter: SqlDriverAdapter, sql: string) => adapter.queryRaw({ sql, args: [], argTypes: [] })

export const sqliteDialect: Dialect = {
  connect: openSqlite,
  migrations: sqliteMigrations,
  purge,
  findDamage,
  runsConcurrently: false,
  amongUnlocked: ['IN (', ')'],
  ownTools: null,
}
