import { randomUUID } from 'node:crypto'
import type { SqlDriverAdapter, Transaction } from '@prisma/driver-adapter-utils'
import { type Migration, readMigrations } from './migration-files'

/** Any number will do that is ours alone: of instances that start at once, one migrates and the others wait for it. */
const lock = 0x1a7c4
/** Prisma's own record of what was applied, so that `prisma migrate` agrees with us. */
const history = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`

/** Applies the migrations in `folder` that the database has not seen, all or none of them, under an advisory lock. */
export async function migratePostgres(connection: SqlDriverAdapter, folder: string): Promise<void> {
  const transaction = await connection.startTransaction()
  try {
    // The lock ends with the transaction, so it also works through a pooler that gives every transaction another session.
    await run(transaction, `SELECT pg_advisory_xact_lock(${lock})`)
    await run(transaction, history)
    const { rows } = await transaction.queryRaw(statement('SELECT "migration_name" FROM "_prisma_migrations"'))
    const applied = new Set(rows.map(([name]) => name))
    for (const migration of readMigrations(folder))
      if (!applied.has(migration.name)) await apply(transaction, migration)
    await run(transaction, 'COMMIT')
    await transaction.commit()
  } catch (error) {
    await run(transaction, 'ROLLBACK')
    await transaction.rollback()
    throw error
  }
}

async function apply(transaction: Transaction, { name, script, checksum }: Migration) {
  await run(transaction, script)
  await run(
    transaction,
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
     VALUES ('${randomUUID()}', '${checksum}', '${name}', now(), 1)`,
  )
}

const statement = (sql: string) => ({ sql, args: [], argTypes: [] })
const run = (transaction: Transaction, sql: string) => transaction.executeRaw(statement(sql))
