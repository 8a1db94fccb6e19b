import { existsSync, readFileSync } from 'node:fs'
import type { Server } from '../server/server'
import { dumpPostgres } from './postgres-programs'

/** Everything a server has stored, as text: the bytes of the SQLite file and its write-ahead log, or a PostgreSQL dump. */
export function storedText({ database, databaseUrl }: Server): string {
  if (databaseUrl.startsWith('postgresql:')) return dumpPostgres(databaseUrl)
  const files = [database, `${database}-wal`].filter((path) => existsSync(path))
  return files.map((path) => readFileSync(path, 'latin1')).join('')
}
