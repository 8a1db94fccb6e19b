import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { ColumnType } from '@prisma/driver-adapter-utils'
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

/** Keeps prepared statements, because compiling takes a third of a session check. SQLite recompiles after a schema change. */
export class SqliteStatements {
  readonly #database: DatabaseSyncInstance
  readonly #prepared = new Map<string, SqliteStatement>()

  constructor(database: DatabaseSyncInstance) {
    this.#database = database
  }

  prepare(sql: string): SqliteStatement {
    const prepared = this.#prepared.get(sql)
    if (prepared) return prepared
    const statement = this.#compile(sql)
    if (this.#prepared.size >= maxStatements) this.#prepared.delete(this.#prepared.keys().next().value as string)
    this.#prepared.set(sql, statement)
    return statement
  }

  #compile(sql: string): SqliteStatement {
    const statement = this.#database.prepare(sql)
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
}
