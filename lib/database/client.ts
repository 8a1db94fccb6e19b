import { asyncSingleton } from '@/lib/process/singleton'
import { isEmbedded } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'

/** The open database of this process: Prisma's client, and the driver adapter that it runs on. */
export function connection() {
  const { databaseUrl } = settings()
  return asyncSingleton('database', async () => {
    // Dynamic imports, so that only the configured database's driver is loaded.
    if (isEmbedded(databaseUrl)) return (await import('./sqlite/client')).openSqlite(databaseUrl)
    return (await import('./postgresql/client')).openPostgres(databaseUrl)
  })
}

/** The Prisma client of this process. Users come without `passwordHash` unless a query asks for it. */
export const database = async () => (await connection()).client
