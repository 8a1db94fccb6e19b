import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import { openDatabase } from './driver'
import { toDriverError } from './error'
import { type SqliteStatement, SqliteStatements } from './statements'
import { toResultSet, toSqlite } from './values'

const identity = { provider: 'sqlite', adapterName: 'latchkey-node-sqlite' } as const

/**
 * Prisma's driver adapter over the API of node:sqlite.
 *
 * @param path a file, or `:memory:`
 * @param timeout milliseconds that a statement waits for another process's lock
 */
export function sqliteAdapterFactory(path: string, timeout = 0): SqlMigrationAwareDriverAdapterFactory {
  return {
    ...identity,
    connect: async () => new SqliteAdapter(await openDatabase(path, timeout)),
    connectToShadowDb: async () => new SqliteAdapter(await openDatabase(':memory:', timeout)),
  }
}

const readRows = (statement: SqliteStatement, args: unknown[]) => toResultSet(statement.columns, statement.all(args))
const countChanges = (statement: SqliteStatement, args: unknown[]) => statement.run(args)

/** A statement that need not wait for the disk if `flushed` is false. */
export interface FlushableQuery extends SqlQuery {
  flushed?: boolean
}

class SqliteConnection implements SqlQueryable {
  readonly provider = identity.provider
  readonly adapterName = identity.adapterName
  protected readonly database: DatabaseSyncInstance
  protected readonly statements: SqliteStatements

  constructor(database: DatabaseSyncInstance, statements: SqliteStatements) {
    this.database = database
    this.statements = statements
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.execute(query, readRows)
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return this.execute(query, countChanges)
  }

  protected execute<T>({ sql, args, argTypes }: SqlQuery, run: (statement: SqliteStatement, args: unknown[]) => T): T {
    return withDriverErrors(() =>
      run(
        this.statements.prepare(sql),
        args.map((arg, index) => toSqlite(arg, argTypes[index])),
      ),
    )
  }
}

/**
 * Prisma awaits between the statements of a nested write or an array batch. A statement of another request that ran in
 * between would join that transaction and be lost if it rolls back, so other statements wait until the transaction ends.
 */
class SqliteAdapter extends SqliteConnection implements SqlDriverAdapter {
  #transaction: Promise<void> | null = null

  constructor(database: DatabaseSyncInstance) {
    super(database, new SqliteStatements(database))
  }

  override async queryRaw(query: FlushableQuery): Promise<SqlResultSet> {
    while (this.#transaction) await this.#transaction
    if (query.flushed === false) return this.#unflushed(() => this.execute(query, readRows))
    return this.execute(query, readRows)
  }

  override async executeRaw(query: FlushableQuery): Promise<number> {
    while (this.#transaction) await this.#transaction
    if (query.flushed === false) return this.#unflushed(() => this.execute(query, countChanges))
    return this.execute(query, countChanges)
  }

  #unflushed<T>(run: () => T): T {
    // Nothing else can run in between: a statement outside a transaction is synchronous.
    this.database.exec('PRAGMA synchronous = NORMAL')
    try {
      return run()
    } finally {
      this.database.exec('PRAGMA synchronous = FULL')
    }
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
    return new SqliteTransaction(this.database, this.statements, () => {
      this.#transaction = null
      close()
    })
  }

  async dispose(): Promise<void> {
    this.database.close()
  }
}

class SqliteTransaction extends SqliteConnection implements Transaction {
  /** Leaves COMMIT and ROLLBACK to the methods below. */
  readonly options = { usePhantomQuery: true }
  readonly #close: () => void

  constructor(database: DatabaseSyncInstance, statements: SqliteStatements, close: () => void) {
    super(database, statements)
    this.#close = close
  }

  async commit(): Promise<void> {
    try {
      withDriverErrors(() => this.database.exec('COMMIT'))
    } catch (error) {
      this.#rollBack()
      throw error
    } finally {
      this.#close()
    }
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

function withDriverErrors<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw toDriverError(error)
  }
}
