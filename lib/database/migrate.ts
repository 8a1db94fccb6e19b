import { join } from 'node:path'
import { asyncSingleton } from '@/lib/process/singleton'
import { isEmbedded } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'
import { applyMigrations } from './migrations'

/** How long an instance waits while another one migrates. */
const lockMilliseconds = 60_000

/** Migrates the configured database to this version of Latchkey, once per process. */
export function migrate(): Promise<void> {
  return asyncSingleton('migrate', async () => {
    const { databaseUrl } = settings()
    const dialect = isEmbedded(databaseUrl)
      ? (await import('./sqlite/dialect')).sqliteDialect
      : (await import('./postgresql/dialect')).postgresDialect
    const connection = await dialect.connect(databaseUrl, lockMilliseconds)
    try {
      await applyMigrations(dialect, connection, join(process.cwd(), 'prisma', dialect.provider, 'migrations'))
    } finally {
      await connection.dispose()
    }
  })
}
