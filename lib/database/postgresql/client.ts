import { log } from '@/lib/process/log'
import { schemaName } from '@/lib/settings/database-url'
import { adapterFactory } from '../dialect/adapter-factory'
import type { Connection } from '../dialect/dialect'
import { measured } from '../dialect/measured'
import { PrismaClient } from '../generated/postgresql/client'
import { FailoverPg, requirePrimary } from './failover'
import { qualified, qualifying } from './qualified-tables'

// A request notices within three seconds that a server is gone, by the first of these waits. They add up, with that of
// requirePrimary, for a server that is only slow: less time for a query would reject what it does answer.
const connectMilliseconds = 1_500
const queryMilliseconds = 2_500
/** For operators' commands: a check of millions of rows takes minutes. */
const patientMilliseconds = 600_000
/** For `pg`: no limit on the time of a query. */
export const unlimited = 0
/** A server usually allows a hundred connections, shared by all instances. */
const poolSize = 10

export function postgresFactory(databaseUrl: string, timeout: number) {
  return new FailoverPg(
    {
      connectionString: databaseUrl,
      max: poolSize,
      connectionTimeoutMillis: connectMilliseconds,
      // Poolers reject `statement_timeout` as a startup parameter.
      query_timeout: timeout,
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

export async function openPostgres(databaseUrl: string, patient = false): Promise<Connection> {
  const schema = schemaName(databaseUrl)
  const timeout = patient ? patientMilliseconds : queryMilliseconds
  const adapter = await measured(postgresFactory(databaseUrl, timeout), 'postgresql').connect()
  const qualifyingAdapter = qualifying(adapter, schema)
  const client = new PrismaClient({
    adapter: adapterFactory(qualifyingAdapter),
    omit: { user: { passwordHash: true } },
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
