import { database } from './database'
import { migrate } from './migrate'
import { settings } from './settings'
import { startSweeping } from './sweep'

/** Everything that must be right before the first request: settings, migrations, the database. @throws SettingsError */
export async function start(): Promise<void> {
  settings()
  await migrate()
  await database()
  startSweeping()
}

/** Closes the database, after the last answer. */
export async function stop(): Promise<void> {
  const client = await database()
  await client.$disconnect()
}
