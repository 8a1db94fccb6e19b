import type { SqlDriverAdapter, SqlQuery } from '@prisma/driver-adapter-utils'
import type { PrismaClient } from '../generated/sqlite/client'
import type { MigrationDialect } from './migrations'

/** What differs between the databases: `sqlite/` and `postgresql/` have one each, so that no caller asks which it is. */
export interface Dialect {
  /** Opens the database for requests. */
  connect(databaseUrl: string): Promise<Connection>
  migrate: MigrationDialect
  /**
   * Removes what has expired at `now`.
   *
   * @param signal ends it after the batch that is under way
   */
  purge(connection: Connection, now: number, signal?: AbortSignal): Promise<void>
  /**
   * What is wrong with the stored data, a sentence each. It changes nothing, and holds no lock that a server waits for.
   *
   * @param verifyRows finds what can be wrong on any database, for a database that can be read
   */
  verify(db: Client, verifyRows: () => Promise<string[]>): Promise<string[]>
  /** Whether statements run beside each other, so that one which looks for itself may need a lock before it looks. */
  needsLock: boolean
  /** Tunes the connection for an operator's command, which can wait longer than a request. */
  tune(db: Client): Promise<void>
  /** Where a backup needs the database's own tools: what to do instead of `backup` and `restore`. */
  ownTools: { backup: string; restore: (file: string) => string } | null
}

export interface Connection {
  client: Client
  /** What the client runs on, for statements with a text by `textOf`. */
  adapter: SqlDriverAdapter
  /** The text of a raw statement, from its parts before, between and after the values. */
  textOf(template: Template): string
}

/** Typed as the SQLite client: the two schemas differ only in the provider. */
export type Client = PrismaClient<never, { user: { passwordHash: true } }>

export type Template = readonly string[]

/** A statement that need not wait for the disk if `flushed` is false. */
export interface FlushableQuery extends SqlQuery {
  flushed?: boolean
}
