import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'

/** The parts of better-sqlite3 that Prisma's adapter uses. */
interface Statement {
  reader: boolean
  columns(): unknown[]
  run(...args: unknown[][]): unknown
  all(...args: unknown[][]): unknown[]
  raw(): Statement
}
interface Client {
  prepare(sql: string): Statement
}

/** More than all the statements that this product knows; the oldest go first. */
const most = 200

/**
 * Lets the adapter keep its prepared statements: it would compile the SQL of every query anew, which is a third of what a
 * session check costs. SQLite itself compiles a kept statement again when the schema has changed.
 */
export function cacheStatements(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const { client } = adapter as unknown as { client: Client }
  const prepare = client.prepare.bind(client)
  const kept = new Map<string, ReturnType<typeof bindable>>()
  const cached = (sql: string) => {
    const found = kept.get(sql) ?? bindable(prepare(sql))
    if (kept.size >= most && !kept.has(sql)) kept.delete(kept.keys().next().value as string)
    kept.set(sql, found)
    return found
  }
  client.prepare = cached as unknown as Client['prepare']
  return adapter
}

/** A statement that can be bound again and again: better-sqlite3's own `bind` is for good. */
function bindable(statement: Statement) {
  const { reader } = statement
  const columns = reader ? statement.raw().columns() : []
  return {
    run: () => statement.run(),
    bind: (args: unknown[]) => ({
      reader,
      columns: () => columns,
      run: () => statement.run(args),
      raw: () => ({ all: () => statement.all(args) }),
    }),
  }
}
