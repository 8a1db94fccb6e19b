import type { SqlDriverAdapter, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils'
import { memoize } from '../dialect/dialect'

/**
 * Matches a table without a schema. Only tables' names begin with a capital; a dot before one follows a schema, and a dot after
 * it precedes a column, where no schema is needed.
 */
const bareTable = /(?<!\.)"(?=[A-Z]\w*"(?!\.))/g

/**
 * Adds the schema to each table of a raw statement, as Prisma does in those that it generates. A `search_path` would
 * not hold: behind a pooler in transaction mode, the next statement may run in another session.
 */
export const qualified = (sql: string, schema: string) => sql.replace(bareTable, () => `"${schema}"."`)

/** Latchkey has fewer statements. */
const maxTexts = 500

/** Adds the schema to all statements of Prisma's client, whose raw ones arrive as text each time. */
export function qualifying(adapter: Required<SqlDriverAdapter>, schema: string): SqlDriverAdapter {
  const textOf = memoize(maxTexts, (sql) => qualified(sql, schema))
  const statements = (connection: SqlQueryable) => {
    const { queryRaw, executeRaw } = connection
    return {
      queryRaw: (query: SqlQuery) => queryRaw.call(connection, { ...query, sql: textOf(query.sql) }),
      executeRaw: (query: SqlQuery) => executeRaw.call(connection, { ...query, sql: textOf(query.sql) }),
    }
  }
  let disposal: Promise<void> | null = null
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    ...statements(adapter),
    executeScript: (script) => adapter.executeScript(script),
    getConnectionInfo: () => adapter.getConnectionInfo(),
    async startTransaction(level) {
      const transaction = await adapter.startTransaction(level)
      return Object.assign(transaction, statements(transaction))
    },
    // Disposes once: both the client and its connection call this, and the pool can end only once.
    dispose() {
      disposal ??= adapter.dispose()
      return disposal
    },
  }
}
