import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { databaseFile } from './database-file'
import { PrismaClient } from './generated/sqlite/client'
import { onceAsync } from './once'
import { serialSqlite } from './serial-sqlite'
import { settings } from './settings'

/** A request that has waited this long for another writer gets a 503 rather than a longer queue. */
const busyMilliseconds = 400

/** The one database client of this process. Prisma is the only door to the database. */
export function database() {
  return onceAsync('database', open)
}

/** Leads to the embedded database, whose folder is made when missing; `timeout` (milliseconds) is how long a statement waits for another process's lock. */
export function sqliteAdapter(timeout: number) {
  const file = databaseFile(settings().databaseUrl) as string
  mkdirSync(dirname(file), { recursive: true })
  return new PrismaBetterSqlite3({ url: file, timeout })
}

async function open() {
  const client = new PrismaClient({
    adapter: serialSqlite(sqliteAdapter(busyMilliseconds)),
    // Reading a password hash takes intent: it is never in an object that is passed around or printed.
    omit: { user: { passwordHash: true } },
  })
  // The adapter keeps one connection, so these stick. WAL alone would mean synchronous=NORMAL: a power cut could then
  // bring an ended session or a spent challenge back to life.
  await client.$queryRaw`PRAGMA journal_mode = WAL`
  await client.$queryRaw`PRAGMA synchronous = FULL`
  await client.$queryRaw`PRAGMA foreign_keys = ON`
  return client
}

export type Database = Awaited<ReturnType<typeof open>>
