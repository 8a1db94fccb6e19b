import type { Pace } from '../batches'
import { brokenReferences, type Client, type Dialect } from '../dialect/dialect'
import { type Expired, removeExpired } from '../dialect/expired-rows'
import { openPostgres } from './client'
import { postgresMigrations } from './migrations'

/**
 * Locks the rows that a SELECT finds, and leaves out those that another statement has locked. An array, because a subquery
 * under a join could run several times and lock other rows each time.
 */
export const amongUnlocked = ['= ANY(ARRAY(', ' FOR UPDATE SKIP LOCKED))'] as const

export const findDamage: Dialect['findDamage'] = async (db, inRows) => [
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

/** Every foreign key: a table, its column, and the table and column that it refers to. */
export const references = [
  ['Identifier', 'userId', 'User', 'id'],
  ['EmailCode', 'userId', 'User', 'id'],
  ['Recovery', 'userId', 'User', 'id'],
  ['Membership', 'userId', 'User', 'id'],
  ['Membership', 'groupName', 'Group', 'name'],
  ['Passkey', 'userId', 'User', 'id'],
  ['RecoveryCode', 'userId', 'User', 'id'],
  ['Event', 'userId', 'User', 'id'],
  ['Session', 'userId', 'User', 'id'],
  ['Grant', 'userId', 'User', 'id'],
  ['Grant', 'appId', 'App', 'id'],
  ['Code', 'grantId', 'Grant', 'id'],
  ['AppIcon', 'appId', 'App', 'id'],
  ['AppSession', 'userId', 'User', 'id'],
  ['AppSession', 'appId', 'App', 'id'],
  ['DeviceRequest', 'appId', 'App', 'id'],
] as const

const countOrphans = ([table, column, parent, parentColumn]: (typeof references)[number]) => `
  SELECT COUNT(*) AS "rows" FROM "${table}" x
  WHERE NOT EXISTS (SELECT 1 FROM "${parent}" p WHERE p."${parentColumn}" = x."${column}")`

/** Finds rows that refer to a missing one, as after tools that restore a dump with triggers off. */
async function orphans(db: Client): Promise<string[]> {
  const found: string[] = []
  // A statement for each, which is read in a short snapshot: a long one would keep PostgreSQL from cleaning up.
  for (const reference of references) {
    const [table, , parent] = reference
    const texts = [countOrphans(reference)]
    const [count] = await db.$queryRaw<{ rows: number | bigint }[]>(Object.assign(texts, { raw: texts }))
    const rows = Number(count?.rows)
    if (rows > 0) found.push(brokenReferences(rows, table, parent))
  }
  return found
}

/** A request that renews a rate limit waits for one batch at most. */
const pace = { min: 250, max: 2_000, aimMilliseconds: 10 } satisfies Partial<Pace>

const bigint = { scalarType: 'bigint', arity: 'scalar' } as const

export const purge: Dialect['purge'] = ({ adapter, textOf }, now, signal) => {
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
