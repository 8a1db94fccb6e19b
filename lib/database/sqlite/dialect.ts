import { brokenReferences, type Client, type Dialect } from '../dialect/dialect'
import { openSqlite } from './client'
import { sqliteMigrations } from './migrations'
import { purge } from './purge'

/** SQLITE_CORRUPT and SQLITE_NOTADB in words. */
const isDamage = /database disk image is malformed|file is not a database/

export const findDamage: Dialect['findDamage'] = async (db, inRows) => {
  try {
    const damage = await damagedFile(db)
    // A damaged file supports no further checks.
    return damage.length > 0 ? damage : [...(await danglingRows(db)), ...(await inRows())]
  } catch (error) {
    // Some damage makes the check itself fail.
    if (error instanceof Error && isDamage.test(error.message)) return ['The database file is damaged.']
    throw error
  }
}

async function damagedFile(db: Client): Promise<string[]> {
  const rows = await db.$queryRaw<{ integrity_check: string }[]>`PRAGMA integrity_check(100)`
  return rows.flatMap(({ integrity_check: line }) => (line === 'ok' ? [] : [`The database file is damaged: ${line}`]))
}

/** A tool that leaves foreign keys off, SQLite's default, can leave rows that refer to deleted ones. */
async function danglingRows(db: Client): Promise<string[]> {
  const rows = await db.$queryRaw<{ table: string; parent: string; count: number | bigint }[]>`
    SELECT "table", "parent", COUNT(*) AS "count" FROM pragma_foreign_key_check GROUP BY "table", "parent"`
  return rows.map(({ table, parent, count }) => brokenReferences(Number(count), table, parent))
}

export const sqliteDialect: Dialect = {
  connect: openSqlite,
  migrations: sqliteMigrations,
  purge,
  findDamage,
  runsConcurrently: false,
  amongUnlocked: ['IN (', ')'],
  ownTools: null,
}
