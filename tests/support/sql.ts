import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { findPostgres } from './postgres'

/** Runs SQL that both databases understand beside whatever else uses the database. */
export function executeSql(databaseUrl: string, sql: string): void {
  if (databaseUrl.startsWith('postgresql:')) {
    const words = ['-q', '-v', 'ON_ERROR_STOP=1', '-c', sql, databaseUrl]
    execFileSync(join(findPostgres() ?? '', 'psql'), words, { stdio: 'pipe' })
    return
  }
  const database = new DatabaseSync(databaseUrl.slice('file:'.length), { timeout: 5_000 })
  database.exec(sql)
  database.close()
}
