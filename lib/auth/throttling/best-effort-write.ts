import { bestEffort } from '@/lib/process/best-effort'

/**
 * For writes after the outcome, such as a refund. Never throws: a committed success would be lost, or a rejection's reason. An
 * attempt that stays counted only makes the limit stricter.
 */
export const bestEffortWrite = (write: () => Promise<unknown>) => bestEffort(write, 'could not settle an attempt')
