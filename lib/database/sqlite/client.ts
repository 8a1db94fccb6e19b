import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { PrismaClient } from '@/lib/database/generated/sqlite/client'
import { databaseFile } from '@/lib/settings/database-url'
import { sqliteAdapterFactory } from './adapter'

/** A request that waits longer than this for another process's write fails with 503. */
const busyMilliseconds = 400

/** Creates the database's folder if it is missing. */
export function sqliteAdapter(databaseUrl: string, timeout = busyMilliseconds) {
  const file = databaseFile(databaseUrl)
  mkdirSync(dirname(file), { recursive: true })
  return sqliteAdapterFactory(file, timeout)
}

export async function openSqlite(databaseUrl: string) {
  const db = new PrismaClient({ adapter: sqliteAdapter(databaseUrl), omit: { user: { passwordHash: true } } })
  // These last, because the adapter keeps one connection. WAL defaults to synchronous=NORMAL, with which a power cut could
  // restore a revoked session or a consumed challenge.
  await db.$queryRaw`PRAGMA journal_mode = WAL`
  await db.$queryRaw`PRAGMA synchronous = FULL`
  await db.$queryRaw`PRAGMA foreign_keys = ON`
  return db
}
