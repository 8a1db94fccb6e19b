import { database } from './database'
import { migrate } from './migrate'
import { redis } from './redis'
import { settings } from './settings'
import { startSweeping } from './sweep'

/** Everything that must be right before the first request: settings, migrations, the database. @throws SettingsError */
export async function start(): Promise<void> {
  settings()
  // Begins to connect. Redis may be away: the database counts until it is there.
  redis()
  await migrate()
  await database()
  startSweeping()
}

/** Closes the connections to Redis and the database, after the last answer. */
export async function stop(): Promise<void> {
  redis()?.close()
  const client = await database()
  await client.$disconnect()
}
