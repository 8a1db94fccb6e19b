import { setTimeout as pause } from 'node:timers/promises'

/** What work results in; undefined if it takes longer. The work goes on. @throws what the work throws meanwhile */
export async function resultWithin<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const waiting = new AbortController()
  const late = pause(milliseconds, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined)
  return Promise.race([work, late]).finally(() => waiting.abort())
}

/** False also if the check fails or takes longer. */
export const holdsWithin = async (milliseconds: number, check: () => Promise<boolean>): Promise<boolean> =>
  (await resultWithin(
    milliseconds,
    check().catch(() => false),
  )) ?? false
