import { asyncSingleton } from '@/lib/process/singleton'
import { isEmbedded } from '@/lib/settings/deployment'
import { settings } from '@/lib/settings/settings'
import type { Client, Connection, Dialect } from './dialect/dialect'

/** Imports dynamically, so that only the configured database's driver loads. */
export async function configuredDialect(): Promise<Dialect> {
  if (isEmbedded(settings().databaseUrl)) return (await import('./sqlite/dialect')).sqliteDialect
  return (await import('./postgresql/dialect')).postgresDialect
}

/**
 * The open database of this process, with the adapter that Prisma's client runs on.
 *
 * @param patient for the first call of an operator's command: its statements can wait longer than a request
 */
export function connection(patient = false): Promise<Connection & { dialect: Dialect }> {
  return asyncSingleton('database', async () => {
    const dialect = await configuredDialect()
    return { ...(await dialect.connect(settings().databaseUrl, patient)), dialect }
  })
}

/** Users come without `passwordHash` unless a query selects it. */
export type Database = Client

export const database = async (): Promise<Database> => (await connection()).client
