import { DatabaseSync } from '@photostructure/sqlite'
import pg from 'pg'

/**
 * A connection for SQL that both databases understand, beside whatever else uses the database.
 *
 * @typedef {object} Sql
 * @property {'sqlite' | 'postgresql'} dialect
 * @property {(statements: string) => Promise<void>} run
 * @property {(query: string) => Promise<Record<string, unknown>[]>} rows
 * @property {() => Promise<void>} close
 */

/** @param {string} url DATABASE_URL @returns {Promise<Sql>} */
export async function openSql(url) {
  if (url.startsWith('file:')) return openEmbedded(url.slice('file:'.length))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    dialect: 'postgresql',
    run: async (statements) => void (await client.query(statements)),
    rows: async (query) => (await client.query(query)).rows,
    close: () => client.end(),
  }
}

/** @param {string} file @returns {Sql} */
function openEmbedded(file) {
  const database = new DatabaseSync(file, { timeout: 30_000 })
  // Bulk rows of random keys need the tree's inner pages at hand.
  database.exec('PRAGMA cache_size = -400000; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY')
  return {
    dialect: 'sqlite',
    run: async (statements) => database.exec(statements),
    rows: async (query) => /** @type {Record<string, unknown>[]} */ (database.prepare(query).all()),
    close: async () => database.close(),
  }
}
