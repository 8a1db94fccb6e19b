import type { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils'

/**
 * A table's name begins with a capital, everything else that Latchkey names in SQL does not. One with a dot before it has
 * its schema, and one with a dot after it belongs to a column, which needs none.
 */
const bareTable = /(?<!\.)"(?=[A-Z]\w*"(?!\.))/g

/**
 * Puts the schema before each table of a raw statement, as Prisma does in the statements that it generates. A
 * `search_path` would not hold: behind a pooler in transaction mode, the next statement may run in another session.
 */
export function qualifyingTables(factory: PrismaPg, schema: string): SqlDriverAdapterFactory {
  const qualified = (query: SqlQuery) => ({ ...query, sql: query.sql.replace(bareTable, () => `"${schema}"."`) })
  function qualifying<T extends SqlQueryable>(connection: T): T {
    const { queryRaw, executeRaw } = connection
    connection.queryRaw = (query) => queryRaw.call(connection, qualified(query))
    connection.executeRaw = (query) => executeRaw.call(connection, qualified(query))
    return connection
  }
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const connection = qualifying(await factory.connect())
      const { startTransaction } = connection
      connection.startTransaction = async (level) => qualifying(await startTransaction.call(connection, level))
      return connection
    },
  }
}
