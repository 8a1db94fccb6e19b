import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SqlDriverAdapter, SqlResultSet } from '@prisma/driver-adapter-utils'

export interface Dialect {
  provider: 'sqlite' | 'postgresql'
  /** @param timeout milliseconds that a statement may wait for a lock */
  connect(databaseUrl: string, timeout: number): Promise<SqlDriverAdapter>
  /** Begins a transaction under a lock: of several instances one migrates and the others wait. */
  begin(connection: SqlDriverAdapter): Promise<MigrationTransaction>
  /** Creates `_prisma_migrations`, so that `prisma migrate` knows what has been applied. */
  createHistory: string
  /** The current time as SQL, in the form that Prisma stores there. */
  now(): string
}

export interface MigrationTransaction {
  /** Runs one or more statements. */
  run(sql: string): Promise<unknown>
  query(sql: string): Promise<SqlResultSet>
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Applies the migrations in `folder` that the database has not had yet: all of them or, on an error, none. */
export async function applyMigrations(dialect: Dialect, connection: SqlDriverAdapter, folder: string): Promise<void> {
  const transaction = await dialect.begin(connection)
  try {
    await transaction.run(dialect.createHistory)
    const { rows } = await transaction.query('SELECT "migration_name" FROM "_prisma_migrations"')
    const applied = new Set(rows.map(([name]) => name))
    for (const { name, script, checksum } of readMigrations(folder)) {
      if (applied.has(name)) continue
      await transaction.run(script)
      await transaction.run(
        `INSERT INTO "_prisma_migrations"
           ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
         VALUES ('${randomUUID()}', '${checksum}', '${name}', ${dialect.now()}, ${dialect.now()}, 1)`,
      )
    }
    await transaction.commit()
  } catch (error) {
    // The first error tells the cause; after a lost connection or a full disk the rollback fails too.
    await transaction.rollback().catch(() => undefined)
    throw error
  }
}

/** Oldest first; the checksum is the one that Prisma records. */
function readMigrations(folder: string) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const names = entries.map((entry) => entry.name).sort()
  return names.map((name) => {
    const script = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
    return { name, script, checksum: createHash('sha256').update(script).digest('hex') }
  })
}
