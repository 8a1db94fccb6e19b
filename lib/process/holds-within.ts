import { setTimeout as pause } from 'node:timers/promises'

/** Whether something holds, as far as one learns in time: false if asking fails or takes longer. */
export async function holdsWithin(milliseconds: number, ask: () => Promise<boolean>): Promise<boolean> {
  const waiting = new AbortController()
  const late = pause(milliseconds, false, { signal: waiting.signal, ref: false }).catch(() => false)
  const answered = await Promise.race([ask().catch(() => false), late])
  waiting.abort()
  return answered
}
