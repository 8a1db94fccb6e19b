import { test as base, expect } from 'playwright/test'
import { Authenticator } from './authenticator'
import { Client, type ClientOptions } from './client'
import { type Postgres, startPostgres } from './postgres'
import { type Redis, startRedis } from './redis'
import { type Server, type ServerOptions, type Stores, startServer } from './server'

export { expect }

type PerTest = {
  /** A PostgreSQL server of the test's own, to be halted and launched. */
  ownPostgres: Postgres
  /** A Redis server of the test's own. */
  ownRedis: Redis
  /** A client of the shared server that is no web page. */
  client: Client
  /** An authenticator at the shared server's origin. */
  authenticator: Authenticator
  /** Another client of the shared server, with a jar of its own. */
  another: (options?: ClientOptions) => Client
  /** Starts a server with settings of its own, which ends with the test. */
  start: (options?: ServerOptions) => Promise<Server>
}

type PerWorker = {
  /** Where servers keep things: the embedded database, or PostgreSQL and Redis. */
  backend: 'embedded' | 'networked'
  /** Settings for a server with nothing stored yet. */
  emptyStores: () => Stores
  /** One server for all tests of a worker; its address quota never gets in their way. */
  server: Server
}

/** Each server of a worker gets the next database of its Redis, so that quotas of tests do not meet. */
let databases = 0
const nextDatabase = () => databases++

export const test = base.extend<PerTest, PerWorker>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
  ownPostgres: async ({}, use) => {
    const postgres = await startPostgres()
    await use(postgres)
    await postgres.stop()
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  ownRedis: async ({}, use) => {
    const redis = await startRedis()
    await use(redis)
    await redis.kill('SIGKILL')
  },
  backend: ['embedded', { option: true, scope: 'worker' }],
  emptyStores: [
    async ({ backend }, use) => {
      if (backend === 'embedded') return use(() => ({}))
      const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
      await use(() => ({ DATABASE_URL: postgres.createDatabase(), REDIS_URL: `${redis.url}/${nextDatabase()}` }))
      await Promise.all([postgres.stop(), redis.kill('SIGTERM')])
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ emptyStores }, use) => {
      const server = await startServer({ env: { RATE_LIMIT_ADDRESS_MAX: '100000', ...emptyStores() } })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  client: async ({ server }, use) => use(new Client(server)),
  authenticator: async ({ server }, use) => use(new Authenticator(server.origin)),
  another: async ({ server }, use) => use((options) => new Client(server, options)),
  start: async ({ emptyStores }, use) => {
    const started: Server[] = []
    await use(async (options = {}) => {
      const stores = options.beside ? {} : emptyStores()
      const server = await startServer({ ...options, env: { ...stores, ...options.env } })
      started.unshift(server)
      return server
    })
    // The newest ends first: it may use the folder of the one before it.
    for (const server of started) await server.stop()
  },
})
