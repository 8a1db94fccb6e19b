import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQueryable, Transaction } from '@prisma/driver-adapter-utils'
import { recorder } from '@/lib/process/recorder'
import { memoize } from './dialect'

type System = 'sqlite' | 'postgresql'

/** Measures statements; without telemetry it changes nothing, so that they cost nothing extra. */
export function measured<F extends SqlDriverAdapterFactory>(factory: F, system: System): F {
  if (!recorder()) return factory
  const connect = factory.connect.bind(factory)
  factory.connect = async () => measureAdapter(await connect(), system)
  return factory
}

function measureAdapter(adapter: SqlDriverAdapter, system: System): SqlDriverAdapter {
  const startTransaction = adapter.startTransaction.bind(adapter)
  adapter.startTransaction = async (level) =>
    measureTransaction(await recordDuration('BEGIN', system, () => startTransaction(level)), system)
  return measureStatements(adapter, system)
}

function measureTransaction(transaction: Transaction, system: System): Transaction {
  const commit = transaction.commit.bind(transaction)
  // Only here `commit()` sends a statement; elsewhere COMMIT is one like others, and the method returns the connection.
  if (transaction.options.usePhantomQuery) transaction.commit = () => recordDuration('COMMIT', system, commit)
  return measureStatements(transaction, system)
}

function measureStatements<Q extends SqlQueryable>(queryable: Q, system: System): Q {
  const queryRaw = queryable.queryRaw.bind(queryable)
  const executeRaw = queryable.executeRaw.bind(queryable)
  queryable.queryRaw = (query) => recordDuration(query.sql, system, () => queryRaw(query))
  queryable.executeRaw = (query) => recordDuration(query.sql, system, () => executeRaw(query))
  return queryable
}

async function recordDuration<T>(sql: string, system: System, run: () => Promise<T>): Promise<T> {
  const start = performance.now()
  let failure: { 'error.type': string } | undefined
  try {
    return await run()
  } catch (error) {
    failure = { 'error.type': (error as { cause?: { kind?: string } }).cause?.kind ?? '_OTHER' }
    throw error
  } finally {
    const attributes = { 'db.system.name': system, ...described(sql), ...failure }
    recorder()?.record('db.client.operation.duration', (performance.now() - start) / 1000, attributes)
  }
}

const operations = /^\s*(SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT)\b/i
const table = /\b(?:FROM|INTO|UPDATE)\s+(?:["`][^"`]+["`]\.)?["`](\w+)["`]/i

interface Description {
  'db.operation.name': string
  'db.collection.name'?: string
}

/** Latchkey has fewer statements. */
const maxDescriptions = 500

/** Names operation and table, without the statement's text. */
const described = memoize(maxDescriptions, (sql): Description => {
  const [, operation] = operations.exec(sql) ?? []
  const [, name] = table.exec(withoutParentheses(sql)) ?? []
  return {
    'db.operation.name': operation?.toUpperCase() ?? 'OTHER',
    ...(operation && name && { 'db.collection.name': name }),
  }
})

/** Removes what stands in parentheses: a subquery among the columns would name another table. */
function withoutParentheses(sql: string): string {
  const outer = sql.replace(/\([^()]*\)/g, '')
  return outer === sql ? sql : withoutParentheses(outer)
}
