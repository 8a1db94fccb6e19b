import { purge } from '@/lib/database/purge'
import { bestEffort } from '@/lib/process/best-effort'
import { settings } from '@/lib/settings/settings'
import { deliverNow, roundMilliseconds } from './delivering'
import { measureWaiting } from './waiting'

/**
 * For cron jobs: sends what is due, also what was written where no process lives to send it. There, nothing else removes
 * expired rows regularly.
 */
export async function deliverDue(): Promise<{ delivered: number; failed: number; waiting: number }> {
  const done = await deliverNow()
  if (!settings().processLives)
    await bestEffort(() => purge(Date.now(), AbortSignal.timeout(roundMilliseconds)), 'could not remove expired rows')
  const { count } = await measureWaiting()
  return { ...done, waiting: count }
}
