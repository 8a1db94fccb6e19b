import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SqlDriverAdapter, SqlResultSet } from '@prisma/driver-adapter-utils'
import { ownFile } from '@/lib/process/files'

/** How long an instance waits while another one migrates. */
export const lockMilliseconds = 60_000

export interface MigrationDialect {
  provider: 'sqlite' | 'postgresql'
  /**
   * A statement may take as long as it needs: on a large database, a migration takes minutes.
   *
   * @param patience in milliseconds, for another's lock; by default `lockMilliseconds`
   */
  connect(databaseUrl: string, patience?: number): Promise<SqlDriverAdapter>
  /** Begins a transaction under a lock: one of several instances migrates while the others wait. */
  begin(adapter: SqlDriverAdapter, patience?: number): Promise<MigrationTransaction>
  /** Creates `_prisma_migrations`, so that `prisma migrate` knows the applied ones */
  createHistory: string
  /** A query that returns a row if `_prisma_migrations` exists. */
  hasHistory: string
  /** The current time as SQL, in the form that Prisma stores there. */
  now(): string
}

interface MigrationTransaction {
  run(sql: string): Promise<unknown>
  query(sql: string): Promise<SqlResultSet>
  /** Throws if the migrations broke the data. Reads every row, so it runs only after a migration. */
  verify(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Finds the folder with this version's migrations. */
export const migrationsFolder = ({ provider }: MigrationDialect): string => ownFile('prisma', provider, 'migrations')

/** Applies all missing migrations or, on an error, none. */
export async function applyMigrations(
  dialect: MigrationDialect,
  adapter: SqlDriverAdapter,
  folder: string,
  patience?: number,
): Promise<void> {
  const transaction = await dialect.begin(adapter, patience)
  try {
    await transaction.run(dialect.createHistory)
    const migrations = readMigrations(folder)
    const applied = await appliedMigrations(transaction, migrations)
    const missing = migrations.filter(({ name }) => !applied.has(name))
    for (const { name, script, checksum } of missing) {
      await transaction.run(script)
      await transaction.run(
        `INSERT INTO "_prisma_migrations"
           ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
         VALUES ('${randomUUID()}', '${checksum}', '${name}', ${dialect.now()}, ${dialect.now()}, 1)`,
      )
    }
    if (missing.length > 0) await transaction.verify()
    await transaction.commit()
  } catch (error) {
    await rollBack(transaction)
    throw error
  }
}

/**
 * Applies nothing. On SQLite it creates a missing database, empty. Waits for an instance that migrates.
 *
 * @throws Error if the database is newer
 */
export async function schemaState(
  dialect: MigrationDialect,
  adapter: SqlDriverAdapter,
  folder: string,
  patience?: number,
): Promise<'none' | 'older' | 'current'> {
  const transaction = await dialect.begin(adapter, patience)
  try {
    const { rows } = await transaction.query(dialect.hasHistory)
    if (rows.length === 0) return 'none'
    const migrations = readMigrations(folder)
    const applied = await appliedMigrations(transaction, migrations)
    return migrations.every(({ name }) => applied.has(name)) ? 'current' : 'older'
  } finally {
    await rollBack(transaction)
  }
}

/**
 * Ignores an error of the rollback: after a lost connection or on a full disk it fails, too, and the first error is the cause.
 */
const rollBack = (transaction: MigrationTransaction) => transaction.rollback().catch(() => undefined)

async function appliedMigrations(
  transaction: MigrationTransaction,
  migrations: { name: string }[],
): Promise<Set<string>> {
  const { rows } = await transaction.query(
    'SELECT "migration_name", "finished_at" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL',
  )
  const applied = new Set(rows.map(([name]) => String(name)))
  requireKnown(applied, migrations)
  requireFinished(rows.filter(([, finishedAt]) => finishedAt === null).map(([name]) => String(name)))
  return applied
}

/** Rejects a newer schema: older code would write rows that break it. */
function requireKnown(applied: Set<string>, migrations: { name: string }[]): void {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied].filter((name) => !known.has(name)).sort()
  if (unknown.length === 0) return
  throw new Error(
    `The database is newer than this version of Latchkey, which does not know its migrations ${unknown.join(', ')}. Run the version that applied them, or restore a backup from before.`,
  )
}

/** Rejects a migration that Prisma has begun and not finished. Latchkey records one in the transaction that applies it. */
function requireFinished([unfinished]: string[]): void {
  if (unfinished === undefined) return
  throw new Error(
    `The migration ${unfinished} was begun by "prisma migrate" and has not finished. If it still runs, wait for it. If it has failed, restore a backup from before, or undo what it has changed and run "npx prisma migrate resolve --rolled-back ${unfinished}".`,
  )
}

/** Reads the migrations, oldest first, with the checksum that Prisma records. */
function readMigrations(folder: string) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const names = entries.map((entry) => entry.name).sort()
  return names.map((name) => {
    const script = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
    return { name, script, checksum: createHash('sha256').update(script).digest('hex') }
  })
}
