import { join } from 'node:path'
import { Cluster, Redis } from 'ioredis'
import type { Connection } from '@/lib/database/dialect'
import { applyMigrations } from '@/lib/database/migrations'
import { openPostgres } from '@/lib/database/postgresql/client'
import { postgresMigrations } from '@/lib/database/postgresql/dialect'
import { directSql } from '@/lib/database/sql'
import { openSqlite } from '@/lib/database/sqlite/client'
import { sqliteMigrations } from '@/lib/database/sqlite/dialect'
import { databaseStore } from '@/lib/rate-limit/database-store'
import { connectByRest } from '@/lib/rate-limit/redis-rest'
import type { RedisConnection } from '@/lib/rate-limit/redis-store'
import { redisStore } from '@/lib/rate-limit/redis-store'
import { connectByTcp } from '@/lib/rate-limit/redis-tcp'
import type { RateLimitStore } from '@/lib/rate-limit/store'
import type { Program } from '../machine/needs'
import { temporaryFolder } from '../machine/temporary-folder'
import { startPostgres } from './postgres'
import { startRedis } from './redis'
import { redisAddress } from './redis-address'
import { startRedisCluster } from './redis-topologies'
import { startUpstash } from './upstash'

/** Creates rate limit stores, and lets tests plant attempts. */
export type TestStore = {
  createStore(name: string, max: number, windowMilliseconds: number): RateLimitStore
  /** Records attempts in another window; `offset` -1 is the one before the current window. */
  plant(
    name: string,
    key: string,
    count: number,
    offset: number,
    windowMilliseconds: number,
    expiresAt?: number,
  ): Promise<unknown>
  /** When a database may remove the row of a key. */
  expiry?(name: string, key: string): Promise<number>
  stop(): Promise<unknown>
}

/** How many more attempts a store allows: makes them, and has them refunded. */
export async function remainingAttempts(store: RateLimitStore, key: string): Promise<number> {
  const attempts = []
  for (;;) {
    const attempt = await store.consume(key)
    if (!attempt.success) break
    attempts.push(attempt)
  }
  for (const attempt of attempts) await attempt.refund()
  return attempts.length
}

/** Every kind of store, and what it runs on. */
export const testStores: { name: string; runsOn: Program[]; start(): Promise<TestStore> }[] = [
  { name: 'SQLite', runsOn: [], start: startSqliteStore },
  { name: 'PostgreSQL', runsOn: ['PostgreSQL'], start: startPostgresStore },
  { name: 'Redis', runsOn: ['Redis'], start: startRedisStore },
  { name: 'a Redis Cluster', runsOn: ['Redis'], start: startClusterStore },
  { name: 'Upstash', runsOn: ['Redis'], start: startUpstashStore },
]

function onDatabase(opened: Connection, stop: () => Promise<unknown>): TestStore {
  const sql = directSql(async () => opened, false)
  return {
    createStore: (name, max, windowMilliseconds) => databaseStore({ name, max, windowMilliseconds }, sql),
    plant(name, key, count, offset, milliseconds, expiresAt = 0) {
      const window = BigInt(Math.floor(Date.now() / milliseconds) + offset)
      return opened.client.rateLimit.create({
        data: { key: `${name}:${key}`, window, count, previous: 0, expiresAt: BigInt(expiresAt) },
      })
    },
    async expiry(name, key) {
      const row = await opened.client.rateLimit.findUniqueOrThrow({ where: { key: `${name}:${key}` } })
      return Number(row.expiresAt)
    },
    stop,
  }
}

/** An embedded database of its own, migrated. */
export async function startSqliteStore(): Promise<TestStore> {
  const url = `file:${join(temporaryFolder('stores'), 'a.db')}`
  const connection = await sqliteMigrations.connect(url)
  await applyMigrations(sqliteMigrations, connection, 'prisma/sqlite/migrations')
  await connection.dispose()
  const opened = await openSqlite(url)
  return onDatabase(opened, opened.close)
}

async function startPostgresStore(): Promise<TestStore> {
  const server = await startPostgres()
  const url = server.createDatabase()
  const connection = await postgresMigrations.connect(url)
  await applyMigrations(postgresMigrations, connection, 'prisma/postgresql/migrations')
  await connection.dispose()
  const opened = await openPostgres(url)
  return onDatabase(opened, async () => {
    await opened.close()
    await server.stop()
  })
}

function onRedis(connection: RedisConnection, door: Redis | Cluster, stop: () => Promise<unknown>): TestStore {
  return {
    createStore: (name, max, windowMilliseconds) => redisStore(connection, { name, max, windowMilliseconds }),
    plant: (name, key, count, offset, milliseconds) =>
      door.set(`latchkey:${name}:{${key}}:${Math.floor(Date.now() / milliseconds) + offset}`, count),
    stop() {
      connection.close()
      door.disconnect()
      return stop()
    },
  }
}

async function startRedisStore(): Promise<TestStore> {
  const server = await startRedis()
  return onRedis(connectByTcp(redisAddress(server.url)), new Redis(server.url), () => server.kill('SIGKILL'))
}

async function startClusterStore(): Promise<TestStore> {
  const cluster = await startRedisCluster()
  const door = new Cluster(cluster.nodes.map(({ url }) => url))
  return onRedis(connectByTcp(redisAddress(cluster.url)), door, () => cluster.stop())
}

async function startUpstashStore(): Promise<TestStore> {
  const server = await startRedis()
  const front = await startUpstash(server.url)
  return onRedis(connectByRest(front.url, front.token), new Redis(server.url), async () => {
    await front.stop()
    await server.kill('SIGKILL')
  })
}
