import { setTimeout as pause } from 'node:timers/promises'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { bestEffort } from '@/lib/process/work'
import { connection } from './client'
import { readRows, type SqlRow } from './sql'

const everyMilliseconds = 60_000
/** A clock that is corrected in small steps moves less within a minute. */
const toleratedMilliseconds = 60_000
/** A database whose newest event is younger has seen the clock lately. */
const recentMilliseconds = 86_400_000
/** Long enough to notice a wrong clock and set it right, short enough for a machine that sleeps every night. */
const heldMilliseconds = 3_600_000

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
  const clock = new WatchedClock()
  await bestEffort(() => clock.compareWithEvents(), 'could not read the newest event')
  for (;;) {
    await pause(everyMilliseconds, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    if (clock.isTrusted()) await bestEffort(() => purge(Date.now(), signal), 'could not remove expired rows')
  }
}

/**
 * Stops the purge for an hour after the clock has jumped. A clock that is wrong by days would remove rows that keep sign-outs,
 * invitations and usernames used: once it is right again, a copied cookie would be valid, and an invitation would make a second
 * account.
 */
class WatchedClock {
  /** The difference between the clock and the time that the process has run, which no setting of the clock changes */
  #difference = differenceNow()
  #heldUntil = 0

  /** Compares the clock with the newest events at the start, when there is no earlier look at the clock. */
  async compareWithEvents(): Promise<void> {
    const started = Date.now()
    // Ignores later events, which may come from a clock that is, or was, ahead. In SQL, as all of a start: the first query of
    // Prisma's own loads its compiler, a tenth to a fifth of the start and 25 MB.
    const [newest] = await readRows<SqlRow<'Event', 'at'>>`
      SELECT e."at" FROM "Event" e WHERE e."at" < ${BigInt(started)} ORDER BY e."at" DESC LIMIT 1`
    const ahead = newest === undefined ? 0 : started - Number(newest.at)
    // Few servers rest for a day, and there expired rows can wait.
    if (ahead > recentMilliseconds) this.#hold('The newest event is old, or the clock is ahead', ahead)
  }

  isTrusted(): boolean {
    const difference = differenceNow()
    const moved = difference - this.#difference
    this.#difference = difference
    if (Math.abs(moved) > toleratedMilliseconds) this.#hold('The clock was set, or the machine slept', moved)
    return uptimeMilliseconds() >= this.#heldUntil
  }

  #hold(reason: string, milliseconds: number): void {
    this.#heldUntil = uptimeMilliseconds() + heldMilliseconds
    log().info({ milliseconds: Math.round(milliseconds) }, `${reason}: nothing that has expired is removed for an hour`)
  }
}

const uptimeMilliseconds = () => process.uptime() * 1000

const differenceNow = () => Date.now() - uptimeMilliseconds()

/** Several instances may purge at the same time. `signal` stops after the current batch. */
export async function purge(now = Date.now(), signal?: AbortSignal): Promise<void> {
  const open = await connection()
  await open.dialect.purge(open, now, signal)
}
