import { log } from '@/lib/process/log'
import { schemaName } from '@/lib/settings/database-url'
import { adapterFactory } from '../dialect/adapter-factory'
import type { Connection } from '../dialect/dialect'
import { measured } from '../dialect/measured'
import { PrismaClient } from '../generated/postgresql/client'
import { FailoverPg, requirePrimary } from './failover'
import { qualified, qualifying } from './qualified-tables'

/** How long a connection, and then each statement, may take; 0 is without limit. */
interface Waits {
  connectMilliseconds: number
  queryMilliseconds: number
}

// A request notices within three seconds that a server is gone, by the first of these waits. They add up, with that of
// requirePrimary, for a server that is only slow: less time for a query would reject what it does answer.
const forRequests: Waits = { connectMilliseconds: 1_500, queryMilliseconds: 2_500 }
/** For operators' commands: a check of millions of rows takes minutes. */
const forCommands: Waits = { connectMilliseconds: 10_000, queryMilliseconds: 600_000 }
/** For a start, which nobody waits for: a server that is busy, or has only just started, must not end it. */
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
      // Without a listener, an idle connection that breaks would end the process. The pool replaces it on next use.
      onPoolError: ({ message }) => log().warn({ reason: message }, 'a connection to PostgreSQL was lost'),
    },
  )
}

/**
 * Writes out what `pg` does for these modes, whose names promise less: it verifies the certificate. It would warn of them at
 * each start, and mean something else by them in its next version.
 */
const withVerifiedTls = (databaseUrl: string) =>
  /[?&]uselibpqcompat=true(&|$)/.test(databaseUrl)
    ? databaseUrl
    : databaseUrl.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

export async function openPostgres(databaseUrl: string, patient = false): Promise<Connection> {
  const schema = schemaName(databaseUrl)
  const factory = postgresFactory(databaseUrl, patient ? forCommands : forRequests)
  const adapter = await measured(factory, 'postgresql').connect()
  const qualifyingAdapter = qualifying(adapter, schema)
  const client = new PrismaClient({
    adapter: adapterFactory(qualifyingAdapter),
    omit: { user: { passwordHash: true } },
    // Prisma's default ends a transaction after five seconds.
    ...(patient && {
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
