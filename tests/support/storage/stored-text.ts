import { existsSync, readFileSync } from 'node:fs'
import type { Server } from '../server'
import { dumpPostgres } from './postgres'

/** Everything a server has stored, as text: the bytes of the SQLite file and its write-ahead log, or a PostgreSQL dump. */
export function storedText({ database, stores }: Server): string {
  if (stores.DATABASE_URL?.startsWith('postgresql:')) return dumpPostgres(stores.DATABASE_URL)
  const files = [database, `${database}-wal`].filter((path) => existsSync(path))
  return files.map((path) => readFileSync(path, 'latin1')).join('')
}
