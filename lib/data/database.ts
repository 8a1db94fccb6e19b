import { isEmbedded } from './database-file'
import { onceAsync } from './once'
import { openPostgres } from './postgres'
import { settings } from './settings'
import { openSqlite } from './sqlite'

/**
 * The one database client of this process. Prisma is the only door to the database, and reading a password hash takes
 * intent: it is omitted from every user that is not asked for with it.
 */
export function database() {
  const { databaseUrl } = settings()
  return onceAsync('database', () => (isEmbedded(databaseUrl) ? openSqlite(databaseUrl) : openPostgres(databaseUrl)))
}
