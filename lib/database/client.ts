import { asyncSingleton } from '@/lib/process/singleton'
import { isEmbedded } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'
import type { Connection, Dialect } from './dialect/dialect'

/** The dialect of the configured database. Dynamic imports, so that only this database's driver is loaded. */
export async function configuredDialect(): Promise<Dialect> {
  if (isEmbedded(settings().databaseUrl)) return (await import('./sqlite/dialect')).sqliteDialect
  return (await import('./postgresql/dialect')).postgresDialect
}

/** The open database of this process: Prisma's client, the driver adapter that it runs on, and the dialect of both. */
export function connection(): Promise<Connection & { dialect: Dialect }> {
  return asyncSingleton('database', async () => {
    const dialect = await configuredDialect()
    return { ...(await dialect.connect(settings().databaseUrl)), dialect }
  })
}

/** The Prisma client of this process. Users come without `passwordHash` unless a query asks for it. */
export const database = async () => (await connection()).client
