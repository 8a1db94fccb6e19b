import { setTimeout as pause } from 'node:timers/promises'

export interface Pace {
  /** Rows of a batch */
  least: number
  most: number
  aimMilliseconds: number
  /** How long it pauses after a batch, in times of how long that took */
  rest: number
}

const firstBatch = 50
/** A batch may hold the write lock for 50 ms; aiming at less allows for accounts with many sessions and a slow disk. */
const usual: Pace = { least: 1, most: 5_000, aimMilliseconds: 15, rest: 1 }

/**
 * Does bulk work in batches whose size follows the time that the last one took, and pauses after each: SQLite admits
 * one writer, and a server beside it waits with all its requests.
 *
 * @param work writes at most `size` rows in one transaction; false: there is nothing left; a number: the milliseconds
 *   that it held the lock, where it also did something else
 * @param signal ends it after the batch that is under way
 */
export async function inBatches(
  work: (size: number) => Promise<boolean | number>,
  pace: Partial<Pace> = {},
  signal?: AbortSignal,
): Promise<void> {
  const { least, most, aimMilliseconds, rest } = { ...usual, ...pace }
  for (let size = firstBatch; !signal?.aborted; ) {
    const started = performance.now()
    const held = await work(size)
    if (held === false) return
    const milliseconds = typeof held === 'number' ? held : performance.now() - started
    // Grows slowly and shrinks at once.
    const fitting = Math.floor((size * aimMilliseconds) / Math.max(milliseconds, 0.1))
    size = Math.max(least, Math.min(most, size * 2, fitting))
    await pause(milliseconds * rest, undefined, { signal }).catch(() => undefined)
  }
}
