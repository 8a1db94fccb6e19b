import { log } from '@/lib/process/log'

/**
 * For what follows the outcome, such as a refund. Never throws: a committed success would be lost, or a rejection's reason.
 * An attempt that stays counted makes the limit stricter, and a streak that is not kept for longer ends as it would have.
 */
export async function settle(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (err) {
    log().warn({ err }, 'Could not settle an attempt')
  }
}
