import { closeSync, fdatasync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { log } from '@/lib/process/log'
import { primaryCode, resultCodes, toDriverError } from './driver'

/* What SQLite would wait for in the main thread, with every request behind it: another process's lock, and the disk. */

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

const sync = promisify(fdatasync)

/**
 * Makes commits last through a power cut. SQLite has written them to its log; a thread of libuv's pool waits for the
 * disk, once for all commits before it. SQLite itself would wait in the main thread, once for each.
 */
export class LogFlush {
  readonly #descriptor: number
  #running = Promise.resolve()
  #waiting: Promise<void> | null = null
  #hasFailed = false

  /** Opens SQLite's log, which lasts as long as the database is open; SQLite's locks are on other files. */
  constructor(file: string) {
    this.#descriptor = openSync(file, 'r+')
  }

  /** True after a failed flush. None succeeds then: SQLite reads its log up to the first gap, so nothing behind it would last. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Resolves when everything committed before the call is on the disk. */
  flush(): Promise<void> {
    // The running flush may have begun before the commit.
    this.#waiting ??= this.#start()
    return this.#waiting
  }

  async close(): Promise<void> {
    await (this.#waiting ?? this.#running).catch(() => undefined)
    closeSync(this.#descriptor)
  }

  async #start(): Promise<void> {
    await this.#running
    this.#waiting = null
    this.#running = sync(this.#descriptor).catch((cause: unknown) => {
      this.#hasFailed = true
      log().fatal({ err: cause }, 'the database log cannot be flushed: check the disk, then restart Latchkey')
      throw Object.assign(new Error('The log cannot be flushed.', { cause }), { errcode: resultCodes.ioErrorOfFsync })
    })
    await this.#running
  }
}
