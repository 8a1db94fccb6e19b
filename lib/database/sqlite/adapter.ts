import { existsSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import type { FlushableQuery } from '../dialect'
import {
  openDatabase,
  type Prepare,
  preparedStatements,
  type SqliteStatement,
  toDriverError,
  toResultSet,
  toSqlite,
} from './driver'
import { LockWait, LogFlush } from './waits'

const identity = { provider: 'sqlite', adapterName: 'latchkey-node-sqlite' } as const

const toRows = (statement: SqliteStatement, args: unknown[]) => toResultSet(statement.columns, statement.all(args))
const countChanges = (statement: SqliteStatement, args: unknown[]) => statement.run(args)

class SqliteQueryable implements SqlQueryable {
  readonly provider = identity.provider
  readonly adapterName = identity.adapterName
  protected readonly database: DatabaseSyncInstance
  protected readonly prepare: Prepare

  constructor(database: DatabaseSyncInstance, prepare: Prepare) {
    this.database = database
    this.prepare = prepare
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return withDriverErrors(() => this.execute(query, toRows))
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return withDriverErrors(() => this.execute(query, countChanges))
  }

  protected execute<T>({ sql, args, argTypes }: SqlQuery, run: (statement: SqliteStatement, args: unknown[]) => T): T {
    return run(
      this.prepare(sql),
      args.map((arg, index) => toSqlite(arg, argTypes[index])),
    )
  }
}

function withDriverErrors<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw toDriverError(error)
  }
}

class SqliteTransaction extends SqliteQueryable implements Transaction {
  /** Makes Prisma leave COMMIT and ROLLBACK to the methods below */
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
      // Retries while locked: without a log, a commit waits for other processes' readers.
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
    // Checks first: after a full disk and some I/O errors SQLite has already rolled back, and a second ROLLBACK would fail.
    if (this.database.isTransaction) withDriverErrors(() => this.database.exec('ROLLBACK'))
  }
}

/**
 * Makes Prisma's driver adapter over node:sqlite.
 *
 * @param patience the milliseconds that a statement waits for another process
 */
export function sqliteAdapterFactory(path: string, patience = 0): SqliteAdapterFactory {
  return {
    ...identity,
    connect: async () => new SqliteAdapter(await openDatabase(path, 0), patience),
  }
}

interface SqliteAdapterFactory extends SqlDriverAdapterFactory {
  connect(): Promise<SqliteAdapter>
}

const reads = /^\s*(SELECT|PRAGMA)\b/i

/**
 * Makes statements wait until the transaction in progress ends. Prisma awaits between the statements of a nested write or an
 * array transaction; another request's statement in between would join the transaction, and be lost if it rolls back.
 */
class SqliteAdapter extends SqliteQueryable implements SqlDriverAdapter {
  #transaction: Promise<void> | null = null
  readonly #patience: number
  readonly #lock: LockWait
  #log: LogFlush | null = null
  /** Set at the first disposal: a second close of the log's descriptor could hit a file that somebody has opened meanwhile */
  #disposal: Promise<void> | null = null

  constructor(database: DatabaseSyncInstance, patience: number) {
    super(database, preparedStatements(database))
    this.#patience = patience
    this.#lock = new LockWait(patience, () => this.#transaction)
  }

  /**
   * Makes commits wait for the disk in another thread. On a file system without shared memory there is no log, and SQLite keeps
   * waiting itself.
   */
  flushBeside(log: string): void {
    if (!existsSync(log)) return
    this.#log = new LogFlush(log)
    this.database.exec('PRAGMA synchronous = NORMAL')
  }

  override async queryRaw(query: FlushableQuery): Promise<SqlResultSet> {
    const isRead = reads.test(query.sql)
    const result = await this.#lock[isRead ? 'read' : 'write'](() => this.execute(query, toRows))
    if (query.flushed !== false && !isRead) await this.flush()
    return result
  }

  override async executeRaw(query: FlushableQuery): Promise<number> {
    const changes = await this.#lock.write(() => this.execute(query, countChanges))
    if (query.flushed !== false) await this.flush()
    return changes
  }

  /** Resolves once the disk has all commits so far. */
  async flush(): Promise<void> {
    await this.#log?.flush().catch((error: unknown) => {
      throw toDriverError(error)
    })
  }

  /** True if no commit lasts any more until the process restarts. */
  get mustRestart(): boolean {
    return this.#log?.hasFailed ?? false
  }

  /** Runs a script, which starts over if it meets a lock: its part before the first write can run twice. */
  async executeScript(script: string): Promise<void> {
    await this.#lock.write(() => this.database.exec(script))
  }

  async startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    if (isolationLevel && isolationLevel !== 'SERIALIZABLE')
      throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level: isolationLevel })
    let close = () => {}
    await this.#lock.write(() => {
      // A deferred transaction that has read fails at its first write if another process has written since.
      this.database.exec('BEGIN IMMEDIATE')
      // Set at once, before another statement gets its turn.
      this.#transaction = new Promise((resolve) => {
        close = resolve
      })
    })
    return new SqliteTransaction(this.database, this.prepare, {
      lock: new LockWait(this.#patience, () => null),
      close: () => {
        this.#transaction = null
        close()
      },
      flush: () => this.flush(),
    })
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
