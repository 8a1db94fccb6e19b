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
import { openDatabase } from './sqlite-driver'
import { toDriverError } from './sqlite-error'
import { type SqliteStatement, SqliteStatements } from './sqlite-statements'
import { toResultSet, toSqlite } from './sqlite-values'

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

/** Runs statements on the connection. node:sqlite is synchronous, so a statement is never interleaved with another. */
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
    return this.attempt(query, (statement, args) => toResultSet(statement.columns, statement.all(args)))
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return this.attempt(query, (statement, args) => statement.run(args))
  }

  private attempt<T>({ sql, args, argTypes }: SqlQuery, run: (statement: SqliteStatement, args: unknown[]) => T): T {
    return reported(() =>
      run(
        this.statements.prepare(sql),
        args.map((arg, index) => toSqlite(arg, argTypes[index])),
      ),
    )
  }
}

/**
 * The process's one connection.
 *
 * Prisma runs a nested write or an array batch as BEGIN ... COMMIT with awaits between. Another request's statement that ran
 * meanwhile on this connection would be rolled back with it after it had been acknowledged, so all others wait until the
 * transaction has ended.
 */
class SqliteAdapter extends SqliteConnection implements SqlDriverAdapter {
  #open: Promise<void> | null = null

  constructor(database: DatabaseSyncInstance) {
    super(database, new SqliteStatements(database))
  }

  override async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    while (this.#open) await this.#open
    return super.queryRaw(query)
  }

  override async executeRaw(query: SqlQuery): Promise<number> {
    while (this.#open) await this.#open
    return super.executeRaw(query)
  }

  async executeScript(script: string): Promise<void> {
    while (this.#open) await this.#open
    reported(() => this.database.exec(script))
  }

  async startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    if (isolationLevel && isolationLevel !== 'SERIALIZABLE')
      throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level: isolationLevel })
    while (this.#open) await this.#open
    // A deferred transaction that reads first is refused at its first write if another process wrote meanwhile.
    reported(() => this.database.exec('BEGIN IMMEDIATE'))
    let close = () => {}
    this.#open = new Promise((resolve) => {
      close = resolve
    })
    return new SqliteTransaction(this.database, this.statements, () => {
      this.#open = null
      close()
    })
  }

  async dispose(): Promise<void> {
    this.database.close()
  }
}

class SqliteTransaction extends SqliteConnection implements Transaction {
  /** Prisma calls `commit` and `rollback` and sends no COMMIT or ROLLBACK of its own. */
  readonly options = { usePhantomQuery: true }
  readonly #close: () => void

  constructor(database: DatabaseSyncInstance, statements: SqliteStatements, close: () => void) {
    super(database, statements)
    this.#close = close
  }

  async commit(): Promise<void> {
    try {
      reported(() => this.database.exec('COMMIT'))
    } catch (error) {
      this.#undo()
      throw error
    } finally {
      this.#close()
    }
  }

  async rollback(): Promise<void> {
    try {
      this.#undo()
    } finally {
      this.#close()
    }
  }

  #undo() {
    // A full disk and some I/O errors make SQLite roll back by itself; a second ROLLBACK would be an error.
    if (this.database.isTransaction) reported(() => this.database.exec('ROLLBACK'))
  }
}

function reported<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw toDriverError(error)
  }
}
