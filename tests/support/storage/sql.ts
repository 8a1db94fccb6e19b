import { execFileSync } from 'node:child_process'
import { DatabaseSync } from '@photostructure/sqlite'
import { postgresProgram, searchPath, withoutSchema } from './postgres-programs'

/** Runs SQL that both databases understand beside whatever else uses the database. */
export function executeSql(databaseUrl: string, sql: string): void {
  if (databaseUrl.startsWith('postgresql:')) {
    runPsql(databaseUrl, sql)
    return
  }
  const database = new DatabaseSync(databaseUrl.slice('file:'.length), { timeout: 60_000 })
  database.exec(sql)
  database.close()
}

/** The first column of each row, as text. */
export function readSql(databaseUrl: string, sql: string): string[] {
  if (databaseUrl.startsWith('postgresql:')) return runPsql(databaseUrl, sql).split('\n').filter(Boolean)
  const database = new DatabaseSync(databaseUrl.slice('file:'.length), { timeout: 60_000, readOnly: true })
  const rows = database.prepare(sql).all()
  database.close()
  return rows.map((row) => String(Object.values(row as object)[0]))
}

function runPsql(databaseUrl: string, sql: string): string {
  const words = ['-qAt', '-v', 'ON_ERROR_STOP=1', '-c', sql, withoutSchema(databaseUrl)]
  const env = { ...process.env, PGOPTIONS: searchPath(databaseUrl) }
  return execFileSync(postgresProgram('psql'), words, { encoding: 'utf8', env, stdio: 'pipe' })
}
