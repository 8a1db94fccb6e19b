import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Transaction } from '@prisma/driver-adapter-utils'
import type { LockWait } from './lock-wait'
import { SqliteQueryable, withDriverErrors } from './queryable'
import type { Prepare } from './statements'

export class SqliteTransaction extends SqliteQueryable implements Transaction {
  /** Has Prisma leave COMMIT and ROLLBACK to the methods below. */
  readonly options = { usePhantomQuery: true }
  readonly #lock: LockWait
  readonly #close: () => void
  readonly #flush: () => Promise<void>

  constructor(
    database: DatabaseSyncInstance,
    prepare: Prepare,
    { lock, close, flush }: { lock: LockWait; close: () => void; flush: () => Promise<void> },
  ) {
    super(database, prepare)
    this.#lock = lock
    this.#close = close
    this.#flush = flush
  }

  async commit(): Promise<void> {
    try {
      // Without a log, it waits for other processes' readers.
      await this.#lock.write(() => this.database.exec('COMMIT'))
    } catch (error) {
      this.#rollBack()
      throw error
    } finally {
      this.#close()
    }
    await this.#flush()
  }

  async rollback(): Promise<void> {
    try {
      this.#rollBack()
    } finally {
      this.#close()
    }
  }

  #rollBack() {
    // After a full disk and some I/O errors SQLite has already rolled back, and a second ROLLBACK would fail.
    if (this.database.isTransaction) withDriverErrors(() => this.database.exec('ROLLBACK'))
  }
}
