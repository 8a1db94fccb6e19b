import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { log } from '@/lib/process/log'
import { resultCodes } from './driver'

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
