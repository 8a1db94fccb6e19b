import { logoutMessage } from '@/lib/auth/sessions/logouts'
import { readRows } from '@/lib/database/direct-sql'
import { startDelivering } from '@/lib/delivery/delivering'
import { registerSender } from '@/lib/delivery/senders'
import { settings } from '@/lib/settings/settings'
import { logoutSender } from './logout-token'

/** At the start: whoever ends a session, this process notifies the apps, if there are any that want to know. */
export async function startBackChannel(): Promise<void> {
  registerSender([logoutMessage], logoutSender)
  // Elsewhere a start has nothing to poll for, and reads no database that a build may not have migrated yet.
  if (!settings().processLives) return
  const apps = await readRows`SELECT 1 AS "found" FROM "App" a WHERE a."backChannelUri" IS NOT NULL LIMIT 1`
  if (apps.length > 0) startDelivering()
}
