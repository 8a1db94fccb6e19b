import { isEmbedded } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'
import { database } from './client'
import { requireCurrentSchema } from './migrate'

/**
 * Opens the database for an operator's command, beside a running server or without one. It migrates only if no database
 * stands yet.
 *
 * @throws Error with a sentence if the schema is older or newer than this version of Latchkey
 */
export async function openForCommand(): Promise<void> {
  await requireCurrentSchema()
  const db = await database()
  // Unlike a request, a command can wait for the server's writes.
  if (isEmbedded(settings().databaseUrl)) await db.$queryRaw`PRAGMA busy_timeout = 10000`
}
