import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapter, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils'
import type { ClientBase } from 'pg'
import { log } from '@/lib/process/log'
import { schemaName } from '@/lib/settings/deployment'
import { adapterFactory, type Connection, memoize } from '../dialect'
import { PrismaClient } from '../generated/postgresql/client'
import { measured } from '../measured'

/** Limits for the time of a connection, and then of each statement; 0 is no limit. */
interface Waits {
  connectMilliseconds: number
  queryMilliseconds: number
}

// By the first of these waits, a request notices within three seconds that a server is gone. For a server that is only slow,
// the waits add up with that of requirePrimary: less time for a query would reject answers that come.
const forRequests: Waits = { connectMilliseconds: 1_500, queryMilliseconds: 2_500 }
/** Operators' commands wait longer: a check of millions of rows takes minutes. */
const forCommands: Waits = { connectMilliseconds: 10_000, queryMilliseconds: 600_000 }
/** A start waits longest, since nobody waits for it: a database that is busy, or has only just started, must not end it. */
export const forMigrations: Waits = { connectMilliseconds: 10_000, queryMilliseconds: 0 }
/** A server usually allows a hundred connections, shared by all instances. */
const poolSize = 10

export function postgresFactory(databaseUrl: string, { connectMilliseconds, queryMilliseconds }: Waits) {
  return new FailoverPg(
    {
      connectionString: withVerifiedTls(databaseUrl),
      max: poolSize,
      connectionTimeoutMillis: connectMilliseconds,
      // Poolers reject `statement_timeout` as a startup parameter.
      query_timeout: queryMilliseconds,
      keepAlive: true,
      allowExitOnIdle: true,
      onConnect: requirePrimary,
    },
    {
      schema: schemaName(databaseUrl),
      // Without this listener, an idle connection that breaks would end the process. The pool replaces it on next use.
      onPoolError: ({ message }) => log().warn({ reason: message }, 'a connection to PostgreSQL was lost'),
    },
  )
}

/**
 * Replaces modes of TLS by the one that `pg` uses for them. Their names promise less than `pg` does, which verifies the
 * certificate; it would warn of them at each start, and mean something else by them in its next version.
 */
const withVerifiedTls = (databaseUrl: string) =>
  /[?&]uselibpqcompat=true(&|$)/.test(databaseUrl)
    ? databaseUrl
    : databaseUrl.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

export async function openPostgres(databaseUrl: string, forCommand = false): Promise<Connection> {
  const schema = schemaName(databaseUrl)
  const factory = postgresFactory(databaseUrl, forCommand ? forCommands : forRequests)
  const adapter = await measured(factory, 'postgresql').connect()
  const qualifyingAdapter = qualifying(adapter, schema)
  const client = new PrismaClient({
    adapter: adapterFactory(qualifyingAdapter),
    omit: { user: { passwordHash: true } },
    // Waits longer than Prisma, which ends a transaction after five seconds.
    ...(forCommand && {
      transactionOptions: { maxWait: forCommands.connectMilliseconds, timeout: forCommands.queryMilliseconds },
    }),
  })
  const textOf: Connection['textOf'] = (template) =>
    qualified(
      template.reduce((before, after, index) => `${before}$${index}${after}`),
      schema,
    )
  return {
    client: client as unknown as Connection['client'],
    adapter,
    textOf,
    mustRestart: () => false,
    async close() {
      await client.$disconnect()
      await qualifyingAdapter.dispose()
    },
  }
}

const checkMilliseconds = 1_500

/**
 * Rejects connections to a server that only replicates, such as a former primary that came back: in its old data,
 * revoked sessions are still valid. PostgreSQL itself rejects only writes with this code.
 */
async function requirePrimary(client: ClientBase): Promise<void> {
  const check = { text: 'SELECT pg_is_in_recovery() AS "standby"', query_timeout: checkMilliseconds }
  const { rows } = await client.query<{ standby: boolean }>(check)
  if (!rows[0]?.standby) return
  throw Object.assign(new Error('this server is a standby, not the primary'), { code: '25006', severity: 'FATAL' })
}

/**
 * Closes connections whose transaction has not ended because a statement timed out. Prisma returns them to the pool,
 * where those to a server that vanished would block until TCP gives up, after a quarter of an hour.
 */
class FailoverPg extends PrismaPg {
  override async connect() {
    const adapter = await super.connect()
    adapter.underlyingDriver().on('release', (_error, client) => {
      if (client.getTransactionStatus() !== 'I') void client.end()
    })
    return adapter
  }
}

/**
 * Matches a table without a schema. Only tables' names begin with a capital; a dot before one follows a schema, and a dot after
 * it precedes a column, where no schema is needed.
 */
const bareTable = /(?<!\.)"(?=[A-Z]\w*"(?!\.))/g

/**
 * Adds the schema to each table of a raw statement, as Prisma does in those that it generates. A `search_path` would
 * not hold: behind a pooler in transaction mode, the next statement may run in another session.
 */
const qualified = (sql: string, schema: string) => sql.replace(bareTable, () => `"${schema}"."`)

/** Latchkey has fewer statements. */
const maxTexts = 500

/** Adds the schema to all statements of Prisma's client, whose raw ones arrive as text each time. */
function qualifying(adapter: Required<SqlDriverAdapter>, schema: string): SqlDriverAdapter {
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
