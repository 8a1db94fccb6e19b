import { join } from 'node:path'
import { isEmbedded } from './database-file'
import { migratePostgres } from './migrate-postgres'
import { migrateSqlite } from './migrate-sqlite'
import { onceAsync } from './once'
import { postgresAdapter } from './postgres'
import { settings } from './settings'
import { sqliteAdapter } from './sqlite'

/** Whoever starts second waits this long for the one that is migrating. */
const lockMilliseconds = 60_000

/** Brings the configured database up to this version of the product, once per process. */
export function migrate(): Promise<void> {
  return onceAsync('migrate', async () => {
    const { databaseUrl } = settings()
    const embedded = isEmbedded(databaseUrl)
    const adapter = embedded
      ? sqliteAdapter(databaseUrl, lockMilliseconds)
      : postgresAdapter(databaseUrl, lockMilliseconds)
    const folder = join(process.cwd(), 'prisma', embedded ? 'sqlite' : 'postgresql', 'migrations')
    const connection = await adapter.connect()
    try {
      await (embedded ? migrateSqlite : migratePostgres)(connection, folder)
    } finally {
      await connection.dispose()
    }
  })
}
