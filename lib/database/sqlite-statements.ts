import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { ColumnType } from '@prisma/driver-adapter-utils'
import { columnType } from './sqlite-values'

/** More than all the statements that this product knows; the oldest go first. */
const most = 200

/** A prepared statement; values are bound at each run. */
export interface SqliteStatement {
  /** Its result columns, none for a statement that returns no rows; a type is null where only the values tell. */
  columns: { names: string[]; types: (ColumnType | null)[] }
  all(args: unknown[]): unknown[][]
  /** @returns the number of rows that were changed */
  run(args: unknown[]): number
}

/**
 * The prepared statements of one connection. Compiling its SQL is a third of what a session check costs; SQLite compiles a
 * kept statement again by itself when the schema has changed.
 */
export class SqliteStatements {
  readonly #database: DatabaseSyncInstance
  readonly #kept = new Map<string, SqliteStatement>()

  constructor(database: DatabaseSyncInstance) {
    this.#database = database
  }

  prepare(sql: string): SqliteStatement {
    const found = this.#kept.get(sql)
    if (found) return found
    const statement = this.#compile(sql)
    if (this.#kept.size >= most) this.#kept.delete(this.#kept.keys().next().value as string)
    this.#kept.set(sql, statement)
    return statement
  }

  #compile(sql: string): SqliteStatement {
    const statement = this.#database.prepare(sql)
    const columns = statement.columns()
    // A 64-bit integer does not fit a number.
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    return {
      columns: { names: columns.map(({ name }) => name), types: columns.map(({ type }) => columnType(type)) },
      all: (args) => statement.all(...(args as never[])) as unknown as unknown[][],
      run: (args) => Number(statement.run(...(args as never[])).changes),
    }
  }
}
