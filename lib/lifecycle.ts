import { database } from '@/lib/database/client'
import { migrate } from '@/lib/database/migrate'
import { startPurging } from '@/lib/database/purge'
import { redis } from '@/lib/rate-limit/redis-connection'
import { settings } from '@/lib/settings/settings'

/**
 * Everything that must be right before the first request: settings, migrations, the database. A front end deployed apart
 * has settings only.
 *
 * @throws SettingsError
 */
export async function start(): Promise<void> {
  if (settings().backendUrl) return
  // Begins to connect. Redis may be away: the database counts until it is there.
  redis()
  if (settings().migratesAtStart) await migrate()
  await database()
  startPurging()
}

/** Closes the connections to Redis and the database, after the last answer. */
export async function stop(): Promise<void> {
  if (settings().backendUrl) return
  redis()?.close()
  const db = await database()
  await db.$disconnect()
}
