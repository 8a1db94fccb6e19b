import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { lockMilliseconds, type MigrationDialect } from '../dialect/migrations'
import { sqliteFactory } from './client'

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
