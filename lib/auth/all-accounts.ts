import { setTimeout as pause } from 'node:timers/promises'
import { database } from '@/lib/database/client'
import type { Database } from './accounts'

const firstBite = 50
/** A bite may hold the write lock for 50 ms; aiming at less allows for accounts with many sessions and a slow disk. */
const usual = { least: 1, most: 5_000, aimMilliseconds: 15 }

/**
 * Does bulk work in bites whose size follows the time that the last one took. After each it pauses for as long: SQLite
 * admits one writer, and a server beside it waits with all its requests.
 *
 * @param work writes at most `size` rows in one batch; false: there is nothing left; a number: the milliseconds that it
 *   held the lock, where it also did something else
 */
export async function inBites(work: (size: number) => Promise<boolean | number>, limits = usual): Promise<void> {
  for (let size = firstBite; ; ) {
    const started = performance.now()
    const held = await work(size)
    if (held === false) return
    const milliseconds = typeof held === 'number' ? held : performance.now() - started
    // Grows slowly and shrinks at once.
    const fitting = Math.floor((size * limits.aimMilliseconds) / Math.max(milliseconds, 0.1))
    size = Math.max(limits.least, Math.min(limits.most, size * 2, fitting))
    await pause(milliseconds)
  }
}

/**
 * Writes to all accounts in bites, in order of their ids.
 *
 * @param write one batch on the accounts whose ids are greater than `after` and at most `last`
 */
export async function forAllAccounts(write: (db: Database, after: string, last: string) => Promise<void>) {
  const db = await database()
  let after = ''
  await inBites(async (take) => {
    const users = await db.user.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take,
      select: { id: true },
    })
    const last = users.at(-1)?.id
    if (last === undefined) return false
    await write(db, after, last)
    after = last
    return true
  })
}
