import { deliverNow } from './delivering'
import { measureWaiting } from './waiting'

/** For cron jobs: sends what is due, also what was written where no process lives to send it. */
export async function deliverDue(): Promise<{ delivered: number; failed: number; waiting: number }> {
  const done = await deliverNow()
  const { count } = await measureWaiting()
  return { ...done, waiting: count }
}
