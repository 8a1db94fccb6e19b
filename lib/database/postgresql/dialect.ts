import type { Transaction } from '@prisma/driver-adapter-utils'
import type { Pace } from '../batches'
import { brokenReferences, type Client, type Dialect } from '../dialect'
import { type Expired, removeExpired } from '../expired-rows'
import { lockMilliseconds, type MigrationDialect } from '../migrations'
import { forMigrations, openPostgres, postgresFactory } from './client'

/**
 * Locks the rows that a SELECT finds, and leaves out those that another statement has locked. An array, because a subquery
 * under a join could run several times and lock other rows each time.
 */
const amongUnlocked = ['= ANY(ARRAY(', ' FOR UPDATE SKIP LOCKED))'] as const

const findDamage: Dialect['findDamage'] = async (db, inRows) => [
  ...(await invalidObjects(db)),
  ...(await orphans(db)),
  ...(await inRows()),
]

/**
 * Finds indexes that failed to build and constraints that nobody has checked: PostgreSQL verifies its own pages, but keeps
 * these.
 */
async function invalidObjects(db: Client): Promise<string[]> {
  const rows = await db.$queryRaw<{ kind: string; name: string }[]>`
    SELECT 'index' AS "kind", c.relname::text AS "name" FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE NOT i.indisvalid AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = '"User"'::regclass)
    UNION ALL
    SELECT 'constraint', conname::text FROM pg_constraint
    WHERE NOT convalidated AND connamespace = (SELECT relnamespace FROM pg_class WHERE oid = '"User"'::regclass)`
  return rows.map(({ kind, name }) => `The ${kind} ${name} is not valid.`)
}

/** Finds rows that refer to a missing one, as after tools that restore a dump with triggers off. */
async function orphans(db: Client): Promise<string[]> {
  const found: string[] = []
  // A statement for each, which is read in a short snapshot: a long one would keep PostgreSQL from cleaning up.
  for (const reference of await foreignKeys(db)) {
    const texts = [countOrphans(reference)]
    const [count] = await db.$queryRaw<{ rows: number | bigint }[]>(Object.assign(texts, { raw: texts }))
    const rows = Number(count?.rows)
    if (rows > 0) found.push(brokenReferences(rows, reference.table, reference.parent))
  }
  return found
}

interface ForeignKey {
  table: string
  column: string
  parent: string
  parentColumn: string
}

/** Each of ours has one column. */
const foreignKeys = (db: Client) => db.$queryRaw<ForeignKey[]>`
  SELECT t.relname::text AS "table", c.attname::text AS "column", p.relname::text AS "parent", k.attname::text AS "parentColumn"
  FROM pg_constraint f
    JOIN pg_class t ON t.oid = f.conrelid JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum = f.conkey[1]
    JOIN pg_class p ON p.oid = f.confrelid JOIN pg_attribute k ON k.attrelid = p.oid AND k.attnum = f.confkey[1]
  WHERE f.contype = 'f' AND f.connamespace = (SELECT relnamespace FROM pg_class WHERE oid = '"User"'::regclass)`

const countOrphans = ({ table, column, parent, parentColumn }: ForeignKey) => `
  SELECT COUNT(*) AS "rows" FROM "${table}" x
  WHERE x."${column}" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "${parent}" p WHERE p."${parentColumn}" = x."${column}")`

/** A request that renews a rate limit waits for one batch at most. */
const pace = { min: 250, max: 2_000, aimMilliseconds: 10 } satisfies Partial<Pace>

const bigint = { scalarType: 'bigint', arity: 'scalar' } as const

const purge: Dialect['purge'] = ({ adapter, textOf }, now, signal) => {
  const remove = (rows: Expired, max: number) =>
    adapter.executeRaw({ sql: textOf(removal(rows)), args: [rows.before, max], argTypes: [bigint, bigint] })
  return removeExpired({ pace, remove }, now, signal)
}

const [before, after] = amongUnlocked

/** Rows renewed meanwhile stay, and two instances share the rows without waiting for each other. */
const removal = ({ table, time }: Expired) => [
  `DELETE FROM "${table}" WHERE "ctid" ${before}SELECT "ctid" FROM "${table}" WHERE "${time}" < `,
  ` ORDER BY "${time}" LIMIT `,
  after,
]

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

export const postgresDialect: Dialect = {
  connect: openPostgres,
  migrations: postgresMigrations,
  purge,
  findDamage,
  runsConcurrently: true,
  amongUnlocked,
  ownTools: {
    backup: 'Accounts are on PostgreSQL, which has a tool for backups: pg_dump --format=custom.',
    restore: (file) =>
      `Accounts are on PostgreSQL. Restore ${file} with pg_restore, then run restore without a file, which ends the sessions.`,
  },
}
