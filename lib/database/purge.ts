import { setTimeout as pause } from 'node:timers/promises'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { connection } from './client'

const everyMilliseconds = 60_000

const state = () =>
  singleton('purge', () => ({ stopping: new AbortController(), running: null as Promise<void> | null }))

/** Starts removing expired rows: a minute after the start, and a minute after it last ended. Idempotent. */
export function startPurging(): void {
  state().running ??= purgeUntil(state().stopping.signal)
}

/** Ends it after the batch that is under way. */
export async function stopPurging(): Promise<void> {
  state().stopping.abort()
  await state().running
}

async function purgeUntil(signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause(everyMilliseconds, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    await purge(Date.now(), signal).catch((err: unknown) => log().warn({ err }, 'could not remove expired rows'))
  }
}

/**
 * Removes what has expired at `now`. Several instances may do so at the same time.
 *
 * @param signal ends it after the batch that is under way
 */
export async function purge(now = Date.now(), signal?: AbortSignal): Promise<void> {
  const open = await connection()
  await open.dialect.purge(open, now, signal)
}
