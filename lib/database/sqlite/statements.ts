import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { ColumnType } from '@prisma/driver-adapter-utils'
import { memoize } from '../dialect/memoize'
import { columnType } from './values'

/** More than Latchkey has. */
const maxStatements = 200

export interface SqliteStatement {
  /** A type is null where only the values show it. */
  columns: { names: string[]; types: (ColumnType | null)[] }
  all(args: unknown[]): unknown[][]
  /** @returns the number of changed rows */
  run(args: unknown[]): number
}

export type Prepare = (sql: string) => SqliteStatement

/** Keeps prepared statements, because compiling takes a third of a session check. SQLite recompiles after a schema change. */
export const preparedStatements = (database: DatabaseSyncInstance): Prepare =>
  memoize(maxStatements, (sql) => compile(database, sql))

function compile(database: DatabaseSyncInstance, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  const columns = statement.columns()
  // A number cannot hold every 64-bit integer.
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  return {
    columns: { names: columns.map(({ name }) => name), types: columns.map(({ type }) => columnType(type)) },
    all: (args) => statement.all(...(args as never[])) as unknown as unknown[][],
    run: (args) => Number(statement.run(...(args as never[])).changes),
  }
}
