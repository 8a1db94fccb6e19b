import { setTimeout as pause } from 'node:timers/promises'
import { primaryCode, resultCodes, toDriverError } from './driver'

const retryMilliseconds = 5

/**
 * Waits for another process's lock without holding the event loop. SQLite's own busy timeout sleeps in it, once for each write:
 * reads and health checks would wait behind all of them.
 */
export class LockWait {
  readonly #patience: number
  readonly #transaction: () => Promise<void> | null
  /** All waiting statements share one pause, so that only the first tries again each time */
  #pause: Promise<void> | null = null

  /**
   * @param patience the milliseconds that each statement waits
   * @param transaction the one of this process, for which statements wait first and without limit
   */
  constructor(patience: number, transaction: () => Promise<void> | null) {
    this.#patience = patience
    this.#transaction = transaction
  }

  /** Readers do not wait for writers, except while SQLite recovers or changes its log. */
  read<T>(attempt: () => T): Promise<T> {
    return this.#run(attempt, false)
  }

  /** Writes in the order of the calls. @param attempt must change nothing if it fails */
  write<T>(attempt: () => T): Promise<T> {
    return this.#run(attempt, true)
  }

  async #run<T>(attempt: () => T, isWrite: boolean): Promise<T> {
    let deadline: number | undefined
    for (;;) {
      while (this.#transaction()) await this.#transaction()
      const isLast = deadline !== undefined && performance.now() >= deadline
      if (!isWrite || !this.#pause || isLast) {
        const done = tried(attempt, isLast)
        if (done) return done.value
      }
      deadline ??= performance.now() + this.#patience
      this.#pause ??= pause(retryMilliseconds).then(() => {
        this.#pause = null
      })
      await this.#pause
    }
  }
}

/** Null if it met a lock and may try again. */
function tried<T>(attempt: () => T, isLast: boolean): { value: T } | null {
  try {
    return { value: attempt() }
  } catch (error) {
    if (isLast || !isBusy(error)) throw toDriverError(error)
    return null
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && primaryCode(Number(error.errcode)) === resultCodes.busy
