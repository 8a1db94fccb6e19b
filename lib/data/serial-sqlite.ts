import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQuery,
  Transaction,
} from '@prisma/driver-adapter-utils'
import { cacheStatements } from './statement-cache'

/**
 * Keeps every statement that is not part of a transaction out of one that is open.
 *
 * The SQLite adapter has one connection, and Prisma runs a nested write as BEGIN ... COMMIT on it with awaits between:
 * another request's statement that ran there would be rolled back with it after it had been acknowledged.
 */
export function serialSqlite(inner: SqlMigrationAwareDriverAdapterFactory): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    connect: async () => new SerialAdapter(cacheStatements(await inner.connect())),
    connectToShadowDb: () => inner.connectToShadowDb(),
  }
}

class SerialAdapter implements SqlDriverAdapter {
  readonly provider
  readonly adapterName
  readonly #inner: SqlDriverAdapter
  #open: Promise<void> | null = null

  constructor(inner: SqlDriverAdapter) {
    this.#inner = inner
    this.provider = inner.provider
    this.adapterName = inner.adapterName
  }

  async queryRaw(query: SqlQuery) {
    while (this.#open) await this.#open
    return this.#inner.queryRaw(query)
  }

  async executeRaw(query: SqlQuery) {
    while (this.#open) await this.#open
    return this.#inner.executeRaw(query)
  }

  async executeScript(script: string) {
    while (this.#open) await this.#open
    return this.#inner.executeScript(script)
  }

  async startTransaction(isolationLevel?: Parameters<SqlDriverAdapter['startTransaction']>[0]): Promise<Transaction> {
    while (this.#open) await this.#open
    const { promise, resolve } = withResolvers()
    const close = () => {
      this.#open = null
      resolve()
    }
    this.#open = promise
    try {
      const transaction = await this.#inner.startTransaction(isolationLevel)
      return releasing(transaction, close)
    } catch (error) {
      close()
      throw error
    }
  }

  dispose() {
    return this.#inner.dispose()
  }
}

function releasing(transaction: Transaction, close: () => void): Transaction {
  const commit = transaction.commit.bind(transaction)
  const rollback = transaction.rollback.bind(transaction)
  transaction.commit = () => commit().finally(close)
  transaction.rollback = () => rollback().finally(close)
  return transaction
}

function withResolvers() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
