import { existsSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import type { FlushableQuery } from '../dialect/dialect'
import { openDatabase } from './driver'
import { toDriverError } from './error'
import { LogFlush } from './log-flush'
import { countChanges, identity, SqliteQueryable, toRows, withDriverErrors } from './queryable'
import { preparedStatements } from './statements'
import { SqliteTransaction } from './transaction'

/** Prisma's driver adapter over node:sqlite. `timeout` in milliseconds is for another process's lock. */
export function sqliteAdapterFactory(path: string, timeout = 0): SqliteAdapterFactory {
  return {
    ...identity,
    connect: async () => new SqliteAdapter(await openDatabase(path, timeout)),
  }
}

interface SqliteAdapterFactory extends SqlDriverAdapterFactory {
  connect(): Promise<SqliteAdapter>
}

const reads = /^\s*(SELECT|PRAGMA)\b/i

/**
 * Prisma awaits between the statements of a nested write or an array transaction. Another request's statement in between
 * would join that transaction and be lost if it rolls back, so it waits until the transaction ends.
 */
export class SqliteAdapter extends SqliteQueryable implements SqlDriverAdapter {
  #transaction: Promise<void> | null = null
  #log: LogFlush | null = null
  /** Once: a second close of the log's descriptor could hit a file that another has opened meanwhile. */
  #disposal: Promise<void> | null = null

  constructor(database: DatabaseSyncInstance) {
    super(database, preparedStatements(database))
  }

  /**
   * From now on a commit waits for the disk in another thread. A file system without shared memory has no log, and
   * SQLite keeps waiting itself.
   */
  flushBeside(log: string): void {
    if (!existsSync(log)) return
    this.#log = new LogFlush(log)
    this.database.exec('PRAGMA synchronous = NORMAL')
  }

  override async queryRaw(query: FlushableQuery): Promise<SqlResultSet> {
    while (this.#transaction) await this.#transaction
    const result = this.execute(query, toRows)
    if (query.flushed !== false && !reads.test(query.sql)) await this.flush()
    return result
  }

  override async executeRaw(query: FlushableQuery): Promise<number> {
    while (this.#transaction) await this.#transaction
    const changes = this.execute(query, countChanges)
    if (query.flushed !== false) await this.flush()
    return changes
  }

  /** Resolves when what has been committed is on the disk. */
  async flush(): Promise<void> {
    await this.#log?.flush().catch((error: unknown) => {
      throw toDriverError(error)
    })
  }

  /** Whether no commit will last until the process starts anew. */
  get mustRestart(): boolean {
    return this.#log?.hasFailed ?? false
  }

  async executeScript(script: string): Promise<void> {
    while (this.#transaction) await this.#transaction
    withDriverErrors(() => this.database.exec(script))
  }

  async startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    if (isolationLevel && isolationLevel !== 'SERIALIZABLE')
      throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level: isolationLevel })
    while (this.#transaction) await this.#transaction
    // A deferred transaction that has read fails at its first write if another process has written since.
    withDriverErrors(() => this.database.exec('BEGIN IMMEDIATE'))
    let close = () => {}
    this.#transaction = new Promise((resolve) => {
      close = resolve
    })
    const end = () => {
      this.#transaction = null
      close()
    }
    return new SqliteTransaction(this.database, this.prepare, end, () => this.flush())
  }

  dispose(): Promise<void> {
    this.#disposal ??= this.#close()
    return this.#disposal
  }

  async #close(): Promise<void> {
    await this.#log?.close()
    this.database.close()
  }
}
