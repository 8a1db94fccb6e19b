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

interface Count {
  table: string
  rows: number | bigint
}

/** A row can lose its account while triggers are off, as in some tools that restore a dump. */
async function orphans(db: Client): Promise<string[]> {
  const counts = await db.$queryRaw<Count[]>`
    SELECT 'Passkey' AS "table", COUNT(*) AS "rows" FROM "Passkey" x
      WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE u."id" = x."userId")
    UNION ALL SELECT 'RecoveryCode', COUNT(*) FROM "RecoveryCode" x
      WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE u."id" = x."userId")
    UNION ALL SELECT 'Session', COUNT(*) FROM "Session" x
      WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE u."id" = x."userId")
    UNION ALL SELECT 'Identifier', COUNT(*) FROM "Identifier" x
      WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE u."id" = x."userId")
    UNION ALL SELECT 'Membership', COUNT(*) FROM "Membership" x
      WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE u."id" = x."userId")
    UNION ALL SELECT 'Event', COUNT(*) FROM "Event" x
      WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE u."id" = x."userId")`
  return counts.flatMap(({ table, rows }) =>
    Number(rows) === 0 ? [] : [`${rows} rows of ${table} refer to a row of User that does not exist.`],
  )
}
