import { closeSync, existsSync, fdatasync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
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
import { log } from '@/lib/process/log'
import type { FlushableQuery } from '../dialect'
import {
  openDatabase,
  type Prepare,
  preparedStatements,
  primaryCode,
  resultCodes,
  type SqliteStatement,
  toDriverError,
  toResultSet,
  toSqlite,
} from './driver'

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

const retryMilliseconds = 5

/**
 * Waits for another process's lock without holding the event loop. SQLite's own busy timeout sleeps in it, once for each write:
 * reads and health checks would wait behind all of them.
 */
class LockWait {
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
class LogFlush {
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
