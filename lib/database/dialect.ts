import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'
import type { PrismaClient } from './generated/sqlite/client'
import type { MigrationDialect } from './migrations'

/**
 * All that differs between the databases: `sqlite/` and `postgresql/` have a dialect each. Statements elsewhere differ by
 * `runsConcurrently` and `amongUnlocked` alone, for locks, and the commands for backups by `ownTools` (null: they work on the
 * embedded database's file).
 */
export interface Dialect {
  /** @param forCommand for an operator's command, which can wait longer than a request */
  connect(databaseUrl: string, forCommand?: boolean): Promise<Connection>
  migrations: MigrationDialect
  /** Removes expired rows. @param signal stops after the current batch */
  purge(connection: Connection, now: number, signal?: AbortSignal): Promise<void>
  /**
   * A sentence per fault. Changes nothing, and holds no lock that a server waits for.
   *
   * @param inRows the checks common to both databases, which need a readable database
   */
  findDamage(db: Client, inRows: () => Promise<string[]>): Promise<string[]>
  /**
   * True if statements that write run concurrently. On SQLite each has the file's only write lock from its start, so one that
   * reads before it writes needs no lock of its own.
   */
  runsConcurrently: boolean
  /** The texts around a SELECT of keys, for a condition that holds for rows without a concurrent statement's lock */
  amongUnlocked: readonly [before: string, after: string]
  /** Advice in place of `backup` and `restore`, if a backup needs the database's own tools */
  ownTools: { backup: string; restore: (file: string) => string } | null
}

export interface Connection {
  client: Client
  /** The client's adapter, for statements with a text by `textOf` */
  adapter: SqlDriverAdapter
  /** The text of a raw statement. */
  textOf(template: Template): string
  /** True if, until a restart, every write fails that a power cut must not undo. */
  mustRestart(): boolean
  /**
   * Closes the client, and the adapter, which `client.$disconnect()` leaves open if nothing has used the client. Idempotent.
   */
  close(): Promise<void>
}

/** Takes the type of the SQLite client: both clients are made of one schema. */
export type Client = PrismaClient<never, { user: { passwordHash: true } }>

/** The texts of a raw statement before, between and after its values. */
export type Template = readonly string[]

/** A statement that need not wait for the disk if `flushed` is false. */
export interface FlushableQuery extends SqlQuery {
  flushed?: boolean
}

/** Hands Prisma's client a connected adapter, so that `directSql` shares it. */
export const adapterFactory = (adapter: SqlDriverAdapter): SqlDriverAdapterFactory => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  connect: async () => adapter,
})

/** A driver adapter's words for an error: Prisma's kind, and the database's own codes. */
export interface DriverCause {
  kind: string
  code?: string
  originalCode?: string
  extendedCode?: number
  originalMessage?: string
  /** The reason why TLS failed */
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

/** Writes the sentence of `findDamage` about rows that refer to a missing row of another table. */
export const brokenReferences = (count: number, table: string, parent: string) =>
  `${count} ${count === 1 ? 'row of' : 'rows of'} ${table} ${count === 1 ? 'refers' : 'refer'} to a row of ${parent} that does not exist.`
