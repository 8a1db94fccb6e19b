import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'
import type { PrismaClient } from '../generated/sqlite/client'
import type { MigrationDialect } from './migrations'

/**
 * What differs between the databases: `sqlite/` and `postgresql/` have one each. Statements elsewhere differ by
 * `runsConcurrently` and `amongUnlocked` alone, for locks, and the commands for backups by `ownTools` (null: they work on the
 * embedded database's file).
 */
export interface Dialect {
  /** @param patient for an operator's command, which can wait longer than a request */
  connect(databaseUrl: string, patient?: boolean): Promise<Connection>
  migrations: MigrationDialect
  /** `signal` stops after the current batch. */
  purge(connection: Connection, now: number, signal?: AbortSignal): Promise<void>
  /**
   * A sentence per fault. Changes nothing, and holds no lock that a server waits for.
   *
   * @param inRows the checks common to both databases, which need a readable database
   */
  findDamage(db: Client, inRows: () => Promise<string[]>): Promise<string[]>
  /**
   * Whether statements that write run concurrently. On SQLite each has the file's only write lock from its start, so one that
   * reads before it writes needs no lock of its own.
   */
  runsConcurrently: boolean
  /** What stands before and after a SELECT of keys, for a condition of the rows that no concurrent statement has locked. */
  amongUnlocked: readonly [before: string, after: string]
  /** Where a backup needs the database's own tools: what to do instead of `backup` and `restore`. */
  ownTools: { backup: string; restore: (file: string) => string } | null
}

export interface Connection {
  client: Client
  /** Shared with the client, for statements with a text by `textOf`. */
  adapter: SqlDriverAdapter
  /** The text of a raw statement. */
  textOf(template: Template): string
  /** Whether, until a restart, every write fails that a power cut must not undo. */
  mustRestart(): boolean
  /** Also closes the adapter, which `client.$disconnect()` leaves open if nothing has used the client. Idempotent. */
  close(): Promise<void>
}

/** Typed as the SQLite client: the two schemas differ only in the provider. */
export type Client = PrismaClient<never, { user: { passwordHash: true } }>

/** The texts of a raw statement before, between and after its values. */
export type Template = readonly string[]

/** If `flushed` is false, the statement need not wait for the disk. */
export interface FlushableQuery extends SqlQuery {
  flushed?: boolean
}

/** Hands Prisma's client a connected adapter, so that `directSql` shares it. */
export const adapterFactory = (adapter: SqlDriverAdapter): SqlDriverAdapterFactory => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  connect: async () => adapter,
})

/** What a driver adapter says of an error: Prisma's kind of it, and the database's own codes. */
export interface DriverCause {
  kind: string
  code?: string
  originalCode?: string
  extendedCode?: number
  originalMessage?: string
  /** Of a failure of TLS. */
  reason?: string
  host?: string
  port?: number
  user?: string
  db?: string
}

/** Keeps the latest `max` results, since a statement has another text for each number of values in its lists. */
export function memoize<Result extends {}>(max: number, make: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const kept = known.get(text)
    if (kept !== undefined) return kept
    const made = make(text)
    if (known.size >= max) known.delete(known.keys().next().value as string)
    known.set(text, made)
    return made
  }
}

/** What `findDamage` says of rows that refer to a row of another table which does not exist. */
export const brokenReferences = (count: number, table: string, parent: string) =>
  `${count} ${count === 1 ? 'row of' : 'rows of'} ${table} ${count === 1 ? 'refers' : 'refer'} to a row of ${parent} that does not exist.`
