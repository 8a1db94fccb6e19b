import { isEmbedded } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'
import { database } from './client'

/** SQLITE_CORRUPT and SQLITE_NOTADB in words. */
const isDamage = /database disk image is malformed|file is not a database/

/** What is wrong with the stored data, a sentence each. It changes nothing, and holds no lock that a server waits for. */
export async function findDamage(): Promise<string[]> {
  if (!isEmbedded(settings().databaseUrl))
    return [...(await invalidObjects()), ...(await orphans()), ...(await unfindableAccounts())]
  try {
    const damage = await damagedFile()
    // A damaged file cannot be asked for more.
    return damage.length > 0 ? damage : [...(await brokenReferences()), ...(await unfindableAccounts())]
  } catch (error) {
    // Some damage ends the check itself.
    if (error instanceof Error && isDamage.test(error.message)) return ['The database file is damaged.']
    throw error
  }
}

async function damagedFile(): Promise<string[]> {
  const db = await database()
  const rows = await db.$queryRaw<{ integrity_check: string }[]>`PRAGMA integrity_check(100)`
  return rows.flatMap(({ integrity_check: line }) => (line === 'ok' ? [] : [`The database file is damaged: ${line}`]))
}

/** A tool that leaves foreign keys off, as SQLite does by default, leaves rows without what they refer to. */
async function brokenReferences(): Promise<string[]> {
  const db = await database()
  const rows = await db.$queryRaw<{ table: string; parent: string }[]>`PRAGMA foreign_key_check`
  const references = rows.map(({ table, parent }) => `of ${table} refer to a row of ${parent} that does not exist.`)
  return [...new Set(references)].map((text) => `${references.filter((one) => one === text).length} rows ${text}`)
}

/** PostgreSQL verifies its own pages; an index that failed to build or a constraint that was never checked stays as it is. */
async function invalidObjects(): Promise<string[]> {
  const db = await database()
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

/** A row can lose its account while triggers are off, as some tools have them when they restore a dump. */
async function orphans(): Promise<string[]> {
  const db = await database()
  const counts = await db.$queryRaw<Count[]>`
    SELECT 'Passkey' AS "table", COUNT(*) AS "rows" FROM "Passkey" x
      WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE u."id" = x."userId")
    UNION ALL SELECT 'RecoveryCode', COUNT(*) FROM "RecoveryCode" x
      WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE u."id" = x."userId")
    UNION ALL SELECT 'Session', COUNT(*) FROM "Session" x
      WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE u."id" = x."userId")
    UNION ALL SELECT 'Event', COUNT(*) FROM "Event" x
      WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE u."id" = x."userId")`
  return counts.flatMap(({ table, rows }) =>
    Number(rows) === 0 ? [] : [`${rows} rows of ${table} refer to a row of User that does not exist.`],
  )
}

/** Accounts are found by the username in lower case, which must be that of the username. */
async function unfindableAccounts(): Promise<string[]> {
  const db = await database()
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "User" WHERE "usernameKey" <> lower("username") ORDER BY "id" LIMIT 100`
  return rows.map(({ id }) => `The account ${id} is not found by its username.`)
}
