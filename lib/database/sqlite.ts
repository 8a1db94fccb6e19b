import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { databaseFile } from '@/lib/settings/database-url'
import { PrismaClient } from './generated/sqlite/client'
import { sqliteAdapterFactory } from './sqlite-adapter'

/** A request that has waited this long for another process's write gets a 503 rather than a longer queue. */
const busyMilliseconds = 400

/** Leads to the embedded database, whose folder is made when missing; `timeout` (milliseconds) is how long a statement waits for another process's lock. */
export function sqliteAdapter(databaseUrl: string, timeout = busyMilliseconds) {
  const file = databaseFile(databaseUrl)
  mkdirSync(dirname(file), { recursive: true })
  return sqliteAdapterFactory(file, timeout)
}

export async function openSqlite(databaseUrl: string) {
  const db = new PrismaClient({ adapter: sqliteAdapter(databaseUrl), omit: { user: { passwordHash: true } } })
  // The adapter keeps one connection, so these stick. WAL alone would mean synchronous=NORMAL: a power cut could then
  // bring an ended session or a spent challenge back to life.
  await db.$queryRaw`PRAGMA journal_mode = WAL`
  await db.$queryRaw`PRAGMA synchronous = FULL`
  await db.$queryRaw`PRAGMA foreign_keys = ON`
  return db
}
