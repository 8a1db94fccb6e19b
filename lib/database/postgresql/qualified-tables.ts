import type { SqlDriverAdapter, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils'
import { memoize } from '../dialect/dialect'

/**
 * Only tables' names begin with a capital. A dot before one means that it has a schema; a dot after it, that it
 * qualifies a column, which needs none.
 */
const bareTable = /(?<!\.)"(?=[A-Z]\w*"(?!\.))/g

/**
 * Adds the schema to each table of a raw statement, as Prisma does in those that it generates. A `search_path` would
 * not hold: behind a pooler in transaction mode, the next statement may run in another session.
 */
export const qualified = (sql: string, schema: string) => sql.replace(bareTable, () => `"${schema}"."`)

/** More than Latchkey has. */
const maxTexts = 500

/** For all statements of Prisma's client, whose raw ones arrive as text each time. */
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
    // Both the client and its connection dispose of the adapter, whose pool can end only once.
    dispose() {
      disposal ??= adapter.dispose()
      return disposal
    },
  }
}
