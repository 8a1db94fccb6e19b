import { setTimeout as pause } from 'node:timers/promises'

export interface Pace {
  /** Rows of a batch. */
  min: number
  max: number
  aimMilliseconds: number
  /** The pause after a batch, as a multiple of the batch's time. */
  pauseFactor: number
}

/** The outcome of a batch. */
interface Batch {
  /** True if nothing is left */
  isLast: boolean
  /** The time for which it held the lock, if it also did something else */
  lockMilliseconds?: number
}

const firstBatch = 50
/** A batch may hold the write lock for 50 ms; aiming at less allows for accounts with many sessions and a slow disk. */
const usual: Pace = { min: 1, max: 5_000, aimMilliseconds: 15, pauseFactor: 1 }

/**
 * Sizes each batch by the time of the last one, and pauses after each: SQLite admits one writer, and a server beside it
 * waits with all its requests.
 *
 * @param work writes at most `size` rows in one transaction
 * @param signal stops after the current batch
 */
export async function inBatches(
  work: (size: number) => Promise<Batch>,
  pace: Partial<Pace> = {},
  signal?: AbortSignal,
): Promise<void> {
  const { min, max, aimMilliseconds, pauseFactor } = { ...usual, ...pace }
  for (let size = firstBatch; !signal?.aborted; ) {
    const started = performance.now()
    const { isLast, lockMilliseconds } = await work(size)
    if (isLast) return
    const milliseconds = lockMilliseconds ?? performance.now() - started
    // Grows slowly and shrinks at once.
    const fitting = Math.floor((size * aimMilliseconds) / Math.max(milliseconds, 0.1))
    size = Math.max(min, Math.min(max, size * 2, fitting))
    await pause(milliseconds * pauseFactor, undefined, { signal }).catch(() => undefined)
  }
}

/** Slices of rows, each for one statement: PostgreSQL takes 65,535 values in one, SQLite half of that. */
export const inParts = <T>(rows: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size))
