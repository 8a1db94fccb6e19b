import { setTimeout as pause } from 'node:timers/promises'
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { databaseFile } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'
import { connection } from './client'
import { expiredRows, postgresStatement, removeExpired } from './expired-rows'
import { purgeInThread } from './sqlite/purge-in-thread'

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
  const { adapter } = await connection()
  if (adapter.provider !== 'sqlite') return removeExpired(postgresRemover(adapter), now, signal)
  // Most often nothing has, and a thread takes more than to look.
  if (await anyExpired(adapter, now)) await purgeInThread(databaseFile(settings().databaseUrl), now, signal)
}

const bigint = { scalarType: 'bigint', arity: 'scalar' } as const

/** A request that renews a rate limit waits for a batch at most. */
const postgresRemover = (adapter: SqlDriverAdapter) => ({
  statement: postgresStatement,
  pace: { least: 250, most: 2_000, aimMilliseconds: 10 },
  execute: (sql: string, before: bigint, most: number) =>
    adapter.executeRaw({ sql, args: [before, most], argTypes: [bigint, bigint] }),
})

async function anyExpired(adapter: SqlDriverAdapter, now: number): Promise<boolean> {
  for (const { sql, before } of expiredRows(now)) {
    const { rows } = await adapter.queryRaw({ sql, args: [before], argTypes: [bigint] })
    if (rows.length > 0) return true
  }
  return false
}
