import { setTimeout as pause } from 'node:timers/promises'
import { bestEffort } from '@/lib/process/best-effort'
import { singleton } from '@/lib/process/singleton'
import { connection } from './client'
import { eventRetentionMilliseconds } from './dialect/expired-rows'

const everyMilliseconds = 60_000

const state = () =>
  singleton('purge', () => ({ stopping: new AbortController(), running: null as Promise<void> | null }))

/** Removes expired rows a minute after the start, and a minute after each run. Idempotent. */
export function startPurging(): void {
  state().running ??= purgeUntil(state().stopping.signal)
}

/** Resolves after the current batch. */
export async function stopPurging(): Promise<void> {
  state().stopping.abort()
  await state().running
}

async function purgeUntil(signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause(everyMilliseconds, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    await bestEffort(() => purge(Date.now(), signal), 'could not remove expired rows')
  }
}

/** Several instances may purge at the same time. `signal` stops after the current batch. */
export async function purge(now = Date.now(), signal?: AbortSignal): Promise<void> {
  const open = await connection()
  await open.dialect.purge(open, now, signal)
}

/** Older events may not be deleted yet. In milliseconds since 1970 */
export const oldestKeptEvent = () => BigInt(Date.now() - eventRetentionMilliseconds)
