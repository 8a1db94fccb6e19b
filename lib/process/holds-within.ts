import { setTimeout as pause } from 'node:timers/promises'

/** False also if the check fails or takes longer. */
export async function holdsWithin(milliseconds: number, check: () => Promise<boolean>): Promise<boolean> {
  const waiting = new AbortController()
  const late = pause(milliseconds, false, { signal: waiting.signal, ref: false }).catch(() => false)
  const holds = await Promise.race([check().catch(() => false), late])
  waiting.abort()
  return holds
}
