import { logoutMessage } from '@/lib/auth/sessions/logouts'
import { readRows } from '@/lib/database/direct-sql'
import { startDelivering } from '@/lib/delivery/delivering'
import { registerSender } from '@/lib/delivery/senders'
import { settings } from '@/lib/settings/settings'
import { logoutSender } from './logout-sender'

/**
 * At startup. Another process, such as a command, may give any app a back channel and end the sessions that this one
 * notifies apps of.
 */
export async function startBackChannel(): Promise<void> {
  registerSender([logoutMessage], logoutSender)
  // A process that does not live polls nothing, and a build may not have migrated the database yet.
  if (!settings().processLives) return
  const apps = await readRows`SELECT 1 AS "found" FROM "App" a LIMIT 1`
  if (apps.length > 0) startDelivering()
}
