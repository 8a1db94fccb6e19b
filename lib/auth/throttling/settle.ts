import { bestEffort } from '@/lib/process/best-effort'

/**
 * For what follows the outcome, such as a refund. Never throws: a committed success would be lost, or a rejection's reason.
 * An attempt that stays counted makes the limit stricter, and a streak that is not kept for longer ends as it would have.
 */
export const settle = (write: () => Promise<unknown>) => bestEffort(write, 'Could not settle an attempt')
