import { join } from 'node:path'
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { asyncSingleton } from '@/lib/process/singleton'
import { isEmbedded } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'

/** Whoever starts second waits this long for the one that is migrating. */
const lockMilliseconds = 60_000

/** Brings the configured database up to this version of the product, once per process. */
export function migrate(): Promise<void> {
  return asyncSingleton('migrate', async () => {
    const { databaseUrl } = settings()
    return isEmbedded(databaseUrl) ? migrateEmbedded(databaseUrl) : migrateServer(databaseUrl)
  })
}

async function migrateEmbedded(databaseUrl: string) {
  const [{ sqliteAdapter }, { migrateSqlite }] = await Promise.all([import('./sqlite'), import('./migrate-sqlite')])
  const connection = await sqliteAdapter(databaseUrl, lockMilliseconds).connect()
  await migrateAndDispose(connection, () => migrateSqlite(connection, folder('sqlite')))
}

async function migrateServer(databaseUrl: string) {
  const [{ postgresAdapter }, { migratePostgres }] = await Promise.all([
    import('./postgres'),
    import('./migrate-postgres'),
  ])
  const connection = await postgresAdapter(databaseUrl, lockMilliseconds).connect()
  await migrateAndDispose(connection, () => migratePostgres(connection, folder('postgresql')))
}

const folder = (provider: string) => join(process.cwd(), 'prisma', provider, 'migrations')

async function migrateAndDispose(connection: SqlDriverAdapter, apply: () => Promise<void>) {
  try {
    await apply()
  } finally {
    await connection.dispose()
  }
}
