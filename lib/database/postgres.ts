import { PrismaPg } from '@prisma/adapter-pg'
import { log } from '@/lib/process/log'
import { PrismaClient } from './generated/postgresql/client'
import type { openSqlite } from './sqlite'

/** Together below the three seconds after which every answer must be there. Kept by this side: poolers refuse them as startup parameters. */
const connectMilliseconds = 1_500
const queryMilliseconds = 2_500
/** Connections of one process; a server has about a hundred to share. */
const poolSize = 10

export function postgresAdapter(databaseUrl: string, timeout = queryMilliseconds) {
  return new PrismaPg(
    {
      connectionString: databaseUrl,
      max: poolSize,
      connectionTimeoutMillis: connectMilliseconds,
      query_timeout: timeout,
      keepAlive: true,
      allowExitOnIdle: true,
    },
    // A connection that breaks while idle is replaced on next use; unheard, its error would end the process.
    { onPoolError: ({ message }) => log().warn({ reason: message }, 'a connection to PostgreSQL was lost') },
  )
}

/** The schemas differ in the provider alone, so one type serves both clients. */
export async function openPostgres(databaseUrl: string) {
  const db = new PrismaClient({ adapter: postgresAdapter(databaseUrl), omit: { user: { passwordHash: true } } })
  return db as unknown as Awaited<ReturnType<typeof openSqlite>>
}
