import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { asyncSingleton } from '@/lib/process/singleton'
import { isEmbedded } from '@/lib/settings/deployment'
import { settings } from '@/lib/settings/settings'
import type { Client, Connection, Dialect } from './dialect'
import type { Prisma } from './generated/sqlite/client'
import { applyMigrations, type MigrationDialect, migrationsFolder, schemaState } from './migrations'

/** Imports dynamically, so that only the configured database's driver loads. */
export async function configuredDialect(): Promise<Dialect> {
  if (isEmbedded(settings().databaseUrl)) return (await import('./sqlite/dialect')).sqliteDialect
  return (await import('./postgresql/dialect')).postgresDialect
}

/**
 * The open database of this process, with the adapter that Prisma's client runs on.
 *
 * @param forCommand for the first call of an operator's command: its statements can wait longer than a request
 */
export function connection(forCommand = false): Promise<Connection & { dialect: Dialect }> {
  return asyncSingleton('database', async () => {
    const dialect = await configuredDialect()
    return { ...(await dialect.connect(settings().databaseUrl, forCommand)), dialect }
  })
}

/** Users come without `passwordHash` unless a query selects it. */
export type Database = Client

export const database = async (): Promise<Database> => (await connection()).client

export type Statement<T = unknown> = Prisma.PrismaPromise<T>

/** Statements by the names of their results: for each name one statement, several, or none. */
export type Statements = Record<string, Statement | readonly Statement[] | undefined>

type Result<T> = T extends readonly unknown[] ? { [K in keyof T]: Awaited<T[K]> } : Awaited<T>

export type Results<S extends Statements> = { [K in keyof S]: Result<S[K]> }

/**
 * Runs the statements as one transaction, in the order of their names in the object. Results have names, so that one more
 * statement shifts none of them. Use no integer as a name: objects list integers first.
 *
 * @param guards run first; the transaction fails if one of them does
 */
export async function transaction<S extends Statements>(
  db: Database,
  statements: S,
  guards: readonly Statement[] = [],
): Promise<Results<S>> {
  const named = Object.entries(statements).flatMap(([name, own]) => (own ? [{ name, own }] : []))
  const results: unknown[] = await db.$transaction([...guards, ...named.flatMap(({ own }) => own)])
  const rest = results.slice(guards.length)
  const take = (own: Statement | readonly Statement[]) =>
    Array.isArray(own) ? rest.splice(0, own.length) : rest.shift()
  return Object.fromEntries(named.map(({ name, own }) => [name, take(own)])) as Results<S>
}

/** Migrates to this version of Latchkey, once per process. @param patience in milliseconds, for another's lock */
export function migrate(patience?: number): Promise<void> {
  return asyncSingleton('migrate', () => withAdapter(applyMigrations, patience))
}

type Work<T> = (dialect: MigrationDialect, adapter: SqlDriverAdapter, folder: string, patience?: number) => Promise<T>

async function withAdapter<T>(work: Work<T>, patience?: number): Promise<T> {
  const { migrations: dialect } = await configuredDialect()
  const adapter = await dialect.connect(settings().migrationUrl, patience)
  try {
    return await work(dialect, adapter, migrationsFolder(dialect), patience)
  } finally {
    await adapter.dispose()
  }
}

/**
 * Opens the database for an operator's command, with or without a running server. Migrates only an empty one, because a server
 * beside the command may be of another version.
 *
 * @throws Error for operators if the schema is older or newer than this version of Latchkey
 */
export async function openForCommand(): Promise<void> {
  const state = await withAdapter(schemaState)
  if (state === 'older')
    throw new Error('The database is older than this version of Latchkey. Start the server once, which migrates it.')
  if (state === 'none') await migrate()
  await connection(true)
}
