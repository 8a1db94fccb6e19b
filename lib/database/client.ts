import { asyncSingleton } from '@/lib/process/singleton'
import { isEmbedded } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'

/**
 * The one database client of this process. Prisma is the only door to the database, and reading a password hash takes
 * intent: it is omitted from every user that is not asked for with it.
 *
 * Only the configured database's driver is loaded: a process on PostgreSQL has no SQLite in it.
 */
export function database() {
  const { databaseUrl } = settings()
  return asyncSingleton('database', async () => {
    if (isEmbedded(databaseUrl)) return (await import('./sqlite')).openSqlite(databaseUrl)
    return (await import('./postgres')).openPostgres(databaseUrl)
  })
}
