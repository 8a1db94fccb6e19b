import type { Transaction } from '@prisma/driver-adapter-utils'
import { lockMilliseconds, type MigrationDialect } from '../dialect/migrations'
import { forMigrations, postgresFactory } from './client'

/** An arbitrary number that no other application uses. Schemas of one database share it, so locks need no order. */
const lock = 0x1a7c4

/** Prisma's first migration contains it. By then the schema exists, and nothing may go to another. */
const createPublic = 'CREATE SCHEMA IF NOT EXISTS "public";'

export const postgresMigrations: MigrationDialect = {
  provider: 'postgresql',
  connect: (databaseUrl) => postgresFactory(databaseUrl, forMigrations).connect(),
  async begin(adapter, patience = lockMilliseconds) {
    const transaction = await adapter.startTransaction()
    const run = (sql: string) => transaction.executeRaw(statement(sql))
    /** The adapter sends no COMMIT or ROLLBACK; its own method only releases the connection, also after an error. */
    const end = async (sql: string, release: () => Promise<void>) => {
      try {
        await run(sql)
      } finally {
        await release()
      }
    }
    const rollback = () => end('ROLLBACK', () => transaction.rollback())
    try {
      await run(`SET LOCAL lock_timeout = ${patience}`)
      // A transaction-level lock also works through a pooler that gives each transaction another session.
      await run(`SELECT pg_advisory_xact_lock(${lock})`)
      await enterSchema(transaction, adapter.getConnectionInfo?.().schemaName ?? 'public')
    } catch (error) {
      await rollback().catch(() => undefined)
      throw error
    }
    return {
      run: (sql) => run(sql.replace(createPublic, '')),
      query: (sql) => transaction.queryRaw(statement(sql)),
      // PostgreSQL checks each foreign key itself.
      verify: async () => undefined,
      async commit() {
        await run('COMMIT')
        await transaction.commit()
      },
      rollback,
    }
  },
  createHistory: `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`,
  hasHistory: `SELECT 1 WHERE to_regclass('"_prisma_migrations"') IS NOT NULL`,
  now: () => 'now()',
}

/** Creates a missing schema, and resolves the transaction's names in it alone. */
async function enterSchema(transaction: Transaction, schema: string): Promise<void> {
  // CREATE SCHEMA IF NOT EXISTS would need the privilege to create schemas even where this one exists.
  const sql = 'SELECT 1 FROM pg_namespace WHERE nspname = $1'
  const found = await transaction.queryRaw({
    sql,
    args: [schema],
    argTypes: [{ scalarType: 'string', arity: 'scalar' }],
  })
  if (found.rows.length === 0) await transaction.executeRaw(statement(`CREATE SCHEMA "${schema}"`))
  await transaction.executeRaw(statement(`SET LOCAL search_path TO "${schema}"`))
}

const statement = (sql: string) => ({ sql, args: [], argTypes: [] })
