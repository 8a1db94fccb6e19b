import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { database } from '@/lib/database/client'
import { migratePostgres } from '@/lib/database/migrate-postgres'
import { migrateSqlite } from '@/lib/database/migrate-sqlite'
import { openPostgres, postgresAdapter } from '@/lib/database/postgres'
import { openSqlite, sqliteAdapter } from '@/lib/database/sqlite'
import { databaseCounter } from '@/lib/rate-limit/database-store'
import { connectByRest } from '@/lib/rate-limit/redis-rest'
import { redisCounter } from '@/lib/rate-limit/redis-store'
import { connectByTcp } from '@/lib/rate-limit/redis-tcp'
import type { Counter } from '@/lib/rate-limit/sliding-window'
import { findPostgres, startPostgres } from './postgres'
import { findRedis, startRedis } from './redis'
import { startUpstash } from './upstash'

/** Something that counts, with a door behind it for the tests. */
export type Backend = {
  counter(name: string, max: number, windowMilliseconds: number): Counter
  /** Makes it so that attempts were counted in the window that is so many after the current one (-1: the one before). */
  plant(name: string, key: string, count: number, offset: number, windowMilliseconds: number): Promise<unknown>
  stop(): Promise<unknown>
}

/** Every kind of counter that there is. Where `missing` says something, this machine cannot run it. */
export const backends: { name: string; missing: string | null; start(): Promise<Backend> }[] = [
  { name: 'SQLite', missing: null, start: startOnSqlite },
  { name: 'PostgreSQL', missing: findPostgres() === null ? 'no PostgreSQL here' : null, start: startOnPostgres },
  { name: 'Redis', missing: findRedis() === null ? 'no Redis here' : null, start: startOnRedis },
  { name: 'Upstash', missing: findRedis() === null ? 'no Redis here' : null, start: startOnUpstash },
]

type Client = Awaited<ReturnType<typeof database>>

function onDatabase(client: Client, stop: () => Promise<unknown>): Backend {
  return {
    counter: (name, max, milliseconds) => databaseCounter(async () => client, name, max, milliseconds),
    plant(name, key, count, offset, milliseconds) {
      const window = BigInt(Math.floor(Date.now() / milliseconds) + offset)
      return client.rateLimit.create({ data: { key: `${name}:${key}`, window, count, previous: 0, expiresAt: 0n } })
    },
    stop,
  }
}

/** An embedded database of its own, migrated. */
export async function startOnSqlite(): Promise<Backend> {
  const url = `file:${join(mkdtempSync(join(tmpdir(), 'latchkey-counters-')), 'a.db')}`
  const connection = await sqliteAdapter(url, 1000).connect()
  await migrateSqlite(connection, 'prisma/sqlite/migrations')
  await connection.dispose()
  const client = await openSqlite(url)
  return onDatabase(client, () => client.$disconnect())
}

async function startOnPostgres(): Promise<Backend> {
  const server = await startPostgres()
  const url = server.createDatabase()
  const connection = await postgresAdapter(url).connect()
  await migratePostgres(connection, 'prisma/postgresql/migrations')
  await connection.dispose()
  const client = await openPostgres(url)
  return onDatabase(client, async () => {
    await client.$disconnect()
    await server.stop()
  })
}

async function startOnRedis(): Promise<Backend> {
  const server = await startRedis()
  const [connection, door] = [connectByTcp(server.url), new Redis(server.url)]
  const stop = async () => {
    connection.close()
    door.disconnect()
    await server.kill('SIGKILL')
  }
  return { counter: (...quota) => redisCounter(connection, ...quota), plant: planter(door), stop }
}

async function startOnUpstash(): Promise<Backend> {
  const server = await startRedis()
  const front = await startUpstash(server.url)
  const [connection, door] = [connectByRest(front.url, front.token), new Redis(server.url)]
  const stop = async () => {
    door.disconnect()
    await front.stop()
    await server.kill('SIGKILL')
  }
  return { counter: (...quota) => redisCounter(connection, ...quota), plant: planter(door), stop }
}

const planter =
  (door: Redis): Backend['plant'] =>
  (name, key, count, offset, milliseconds) =>
    door.set(`latchkey:${name}:${key}:${Math.floor(Date.now() / milliseconds) + offset}`, count)
