import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { asyncSingleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { configuredDialect, connection } from './client'
import { applyMigrations, type MigrationDialect, migrationsFolder, schemaState } from './dialect/migrations'

/** Migrates to this version of Latchkey, once per process. @param patience in milliseconds, for another's lock */
export function migrate(patience?: number): Promise<void> {
  return asyncSingleton('migrate', () => withAdapter(applyMigrations, patience))
}

/**
 * Migrates an empty database, for commands. Leaves others, because a server beside the command may be of another version.
 *
 * @throws Error for operators if the schema is older or newer than this version of Latchkey
 */
async function requireCurrentSchema(): Promise<void> {
  const state = await withAdapter(schemaState)
  if (state === 'older')
    throw new Error('The database is older than this version of Latchkey. Start the server once, which migrates it.')
  if (state === 'none') await migrate()
}

type Work<T> = (dialect: MigrationDialect, adapter: SqlDriverAdapter, folder: string, patience?: number) => Promise<T>

async function withAdapter<T>(work: Work<T>, patience?: number): Promise<T> {
  const { migrations: dialect } = await configuredDialect()
  const adapter = await dialect.connect(settings().migrationUrl, patience)
  try {
    return await work(dialect, adapter, migrationsFolder(dialect), patience)
  } finally {
    await adapter.dispose()
  }
}

/**
 * Opens the database for an operator's command, with or without a running server. Migrates only an empty one.
 *
 * @throws Error for operators if the schema is older or newer than this version of Latchkey
 */
export async function openForCommand(): Promise<void> {
  await requireCurrentSchema()
  await connection(true)
}
