import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { SqlQuery, SqlQueryable, SqlResultSet } from '@prisma/driver-adapter-utils'
import { toDriverError } from './error'
import type { Prepare, SqliteStatement } from './statements'
import { toResultSet, toSqlite } from './values'

export const identity = { provider: 'sqlite', adapterName: 'latchkey-node-sqlite' } as const

export const toRows = (statement: SqliteStatement, args: unknown[]) =>
  toResultSet(statement.columns, statement.all(args))
export const countChanges = (statement: SqliteStatement, args: unknown[]) => statement.run(args)

export class SqliteQueryable implements SqlQueryable {
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

export function withDriverErrors<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw toDriverError(error)
  }
}
