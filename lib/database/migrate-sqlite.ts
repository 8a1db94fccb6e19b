import { randomUUID } from 'node:crypto'
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { type Migration, readMigrations } from './migration-files'

/** Prisma's own record of what was applied, so that `prisma migrate` agrees with us. */
const history = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL,
  "checksum" TEXT NOT NULL,
  "finished_at" DATETIME,
  "migration_name" TEXT NOT NULL,
  "logs" TEXT,
  "rolled_back_at" DATETIME,
  "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
  "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0
)`

/**
 * Applies the migrations in `folder` that the database has not seen, all or none of them, with a lock on the database.
 *
 * Foreign keys go off before the transaction opens: inside one the pragma is ignored, and rebuilding a table would then
 * cascade into the rows that refer to it.
 */
export async function migrateSqlite(connection: SqlDriverAdapter, folder: string): Promise<void> {
  await connection.executeScript('PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE')
  try {
    await connection.executeScript(history)
    const { rows } = await connection.queryRaw(statement('SELECT "migration_name" FROM "_prisma_migrations"'))
    const applied = new Set(rows.map(([name]) => name))
    for (const migration of readMigrations(folder)) if (!applied.has(migration.name)) await apply(connection, migration)
    const broken = await connection.queryRaw(statement('PRAGMA foreign_key_check'))
    if (broken.rows.length > 0) throw new Error('A migration left rows that refer to nothing; none was applied.')
    await connection.executeScript('COMMIT')
  } catch (error) {
    await connection.executeScript('ROLLBACK')
    throw error
  }
}

async function apply(connection: SqlDriverAdapter, { name, script, checksum }: Migration) {
  await connection.executeScript(script)
  const now = Date.now()
  await connection.executeScript(
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
     VALUES ('${randomUUID()}', '${checksum}', '${name}', ${now}, ${now}, 1)`,
  )
}

const statement = (sql: string) => ({ sql, args: [], argTypes: [] })
