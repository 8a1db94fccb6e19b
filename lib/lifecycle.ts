import { database } from '@/lib/database/client'
import { migrate } from '@/lib/database/migrate'
import { startPurging } from '@/lib/database/purge'
import { redis } from '@/lib/rate-limit/redis-connection'
import { settings } from '@/lib/settings/settings'

/**
 * Checks the settings, migrates and opens the database, before the first request. The front end of a split deployment
 * has no database.
 *
 * @throws SettingsError
 */
export async function start(): Promise<void> {
  if (settings().backendUrl) return
  // Starts connecting without waiting: the database counts attempts until Redis is available.
  redis()
  if (settings().migratesAtStart) await migrate()
  await database()
  startPurging()
}

/** Closes the connections to Redis and the database. Call it after the last response. */
export async function stop(): Promise<void> {
  if (settings().backendUrl) return
  redis()?.close()
  const db = await database()
  await db.$disconnect()
}
