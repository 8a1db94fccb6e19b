import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '@/lib/database/generated/postgresql/client'
import { measured } from '@/lib/database/measured'
import type { openSqlite } from '@/lib/database/sqlite/client'
import { log } from '@/lib/process/log'

// Connecting and a query together stay below the three seconds within which every request is answered.
const connectMilliseconds = 1_500
const queryMilliseconds = 2_500
/** A server usually allows a hundred connections, shared by all instances. */
const poolSize = 10

export function postgresAdapter(databaseUrl: string, timeout = queryMilliseconds) {
  return new PrismaPg(
    {
      connectionString: databaseUrl,
      max: poolSize,
      connectionTimeoutMillis: connectMilliseconds,
      // Poolers reject `statement_timeout` as a startup parameter.
      query_timeout: timeout,
      keepAlive: true,
      allowExitOnIdle: true,
    },
    // Without a listener, an idle connection that breaks would end the process. The pool replaces it on next use.
    { onPoolError: ({ message }) => log().warn({ reason: message }, 'a connection to PostgreSQL was lost') },
  )
}

/** Typed as the SQLite client: the two schemas differ only in the provider. */
export async function openPostgres(databaseUrl: string) {
  const adapter = measured(postgresAdapter(databaseUrl), 'postgresql')
  const db = new PrismaClient({ adapter, omit: { user: { passwordHash: true } } })
  return db as unknown as Awaited<ReturnType<typeof openSqlite>>
}
