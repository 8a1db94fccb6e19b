import type { Client, Dialect } from '../dialect/dialect'

export const verify: Dialect['verify'] = async (db, verifyRows) => [
  ...(await invalidObjects(db)),
  ...(await orphans(db)),
  ...(await verifyRows()),
]

/** PostgreSQL verifies its own pages, but keeps indexes that failed to build and constraints that were never checked. */
async function invalidObjects(db: Client): Promise<string[]> {
  const rows = await db.$queryRaw<{ kind: string; name: string }[]>`
    SELECT 'index' AS "kind", c.relname::text AS "name" FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE NOT i.indisvalid AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = '"User"'::regclass)
    UNION ALL
    SELECT 'constraint', conname::text FROM pg_constraint
    WHERE NOT convalidated AND connamespace = (SELECT relnamespace FROM pg_class WHERE oid = '"User"'::regclass)`
  return rows.map(({ kind, name }) => `The ${kind} ${name} is not valid.`)
}

/** Every foreign key: a table, its column, and what that refers to. */
export const references = [
  ['Identifier', 'userId', 'User', 'id'],
  ['Membership', 'userId', 'User', 'id'],
  ['Membership', 'groupName', 'Group', 'name'],
  ['Passkey', 'userId', 'User', 'id'],
  ['RecoveryCode', 'userId', 'User', 'id'],
  ['Event', 'userId', 'User', 'id'],
  ['Session', 'userId', 'User', 'id'],
  ['Grant', 'userId', 'User', 'id'],
  ['Grant', 'appId', 'App', 'id'],
  ['Code', 'grantId', 'Grant', 'id'],
  ['AppSession', 'userId', 'User', 'id'],
  ['AppSession', 'appId', 'App', 'id'],
] as const

const countOrphans = references
  .map(
    ([table, column, parent, parentColumn]) => `
      SELECT '${table}' AS "table", '${parent}' AS "parent", COUNT(*) AS "rows" FROM "${table}" x
      WHERE NOT EXISTS (SELECT 1 FROM "${parent}" p WHERE p."${parentColumn}" = x."${column}")`,
  )
  .join(' UNION ALL ')

interface Count {
  table: string
  parent: string
  rows: number | bigint
}

/** A row can lose what it refers to while triggers are off, as in some tools that restore a dump. */
async function orphans(db: Client): Promise<string[]> {
  const texts = [countOrphans]
  const counts = await db.$queryRaw<Count[]>(Object.assign(texts, { raw: texts }))
  return counts.flatMap(({ table, parent, rows }) =>
    Number(rows) === 0 ? [] : [`${rows} rows of ${table} refer to a row of ${parent} that does not exist.`],
  )
}
