import { asyncSingleton } from '@/lib/process/singleton'
import { isEmbedded } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'

/**
 * The database client of this process. Loads only the configured database's driver.
 *
 * Queries omit `passwordHash` from users unless they ask for it.
 */
export function database() {
  const { databaseUrl } = settings()
  return asyncSingleton('database', async () => {
    if (isEmbedded(databaseUrl)) return (await import('./sqlite/client')).openSqlite(databaseUrl)
    return (await import('./postgresql/client')).openPostgres(databaseUrl)
  })
}
