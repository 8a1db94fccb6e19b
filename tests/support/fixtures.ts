import { test as base, expect } from 'playwright/test'
import { Client, type ClientOptions } from './client'
import { type Keep, Kept } from './kept-by-spec'
import { needs, type Program } from './machine/needs'
import { type Mode, type Server, type ServerOptions, type Stores, startServer } from './server/server'
import { attachOutput, beginTest } from './server/server-output'
import { type Postgres, startPostgres } from './storage/postgres'
import { type Redis, startRedis } from './storage/redis'
import { Authenticator } from './webauthn/authenticator'

export { expect }

type PerTest = {
  /** A PostgreSQL server for this test alone, which may stop and start it. */
  ownPostgres: Postgres
  /** A Redis server for this test alone. */
  ownRedis: Redis
  /** A client of the shared server that is not a web page. */
  client: Client
  /** An authenticator at the shared server's origin. */
  authenticator: Authenticator
  /** Another client of the shared server, with its own cookie jar. */
  another: (options?: ClientOptions) => Client
  /** Starts a server for this test alone. */
  start: (options?: ServerOptions) => Promise<Server>
  /** Starts a server that the tests of a spec share, on empty stores; with the same options as earlier ones, it is theirs. */
  startShared: (options?: ServerOptions) => Promise<Server>
  /** Makes something that the tests of a spec share. */
  keep: Keep
  /** The server that tests share unless their spec says otherwise; its address policy is too generous to interfere. */
  server: Server
  /** What the test runs on beside Node. It is skipped where this machine lacks one of them. */
  runsOn: Program[]
  /** Skips it before anything that needs one of them is started. */
  skippedWithout: undefined
  /** Attaches what servers wrote meanwhile to a test that fails. */
  attachedOutput: undefined
}

export type PerWorker = {
  /** What servers store in: the embedded database, or PostgreSQL and Redis. */
  storage: 'embedded' | 'networked'
  /** How servers start unless a test says otherwise. */
  entry: Mode
  /** Settings for a database and a Redis with nothing in them. */
  emptyStores: () => Stores
  /** The `server` of all specs. */
  generalServer: Server
  kept: Kept
}

/** Each server gets its own database of the worker's Redis, so that rate limits of different tests never meet. */
let databases = 0
const nextDatabase = () => databases++

export const test = base.extend<PerTest, PerWorker>({
  runsOn: [[], { option: true }],
  // The first of those that every test has: they are set up in this order.
  skippedWithout: [
    async ({ runsOn, storage }, use) => {
      needs(...runsOn, ...(storage === 'networked' ? (['PostgreSQL', 'Redis'] as const) : []))
      await use(undefined)
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
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
  storage: ['embedded', { option: true, scope: 'worker' }],
  entry: ['node', { option: true, scope: 'worker' }],
  emptyStores: [
    async ({ storage }, use) => {
      if (storage === 'embedded') return use(() => ({}))
      const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
      // In a schema, so that a statement that names a table without it fails. Databases that tests create have none.
      await use(() => ({
        DATABASE_URL: `${postgres.createDatabase()}?schema=Accounts`,
        REDIS_URL: `${redis.url}/${nextDatabase()}`,
      }))
      await Promise.all([postgres.stop(), redis.kill('SIGTERM')])
    },
    { scope: 'worker' },
  ],
  generalServer: [
    async ({ emptyStores, entry }, use) => {
      const server = await startServer({ mode: entry, env: { ...emptyStores(), RATE_LIMIT_ADDRESS_MAX: '100000' } })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  kept: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const kept = new Kept()
      await use(kept)
      await kept.end()
    },
    { scope: 'worker' },
  ],
  keep: async ({ kept }, use, { file }) => {
    await kept.enter(file)
    await use(kept.keep)
  },
  startShared: async ({ keep, emptyStores, entry }, use) =>
    use((options = {}) =>
      keep(JSON.stringify(options), async (onEnd) => {
        const server = await startServer({ mode: entry, ...options, env: { ...emptyStores(), ...options.env } })
        onEnd(() => server.stop())
        return server
      }),
    ),
  server: async ({ generalServer }, use) => use(generalServer),
  client: async ({ server }, use) => use(new Client(server)),
  authenticator: async ({ server }, use) => use(new Authenticator(server.origin)),
  another: async ({ server }, use) => use((options) => new Client(server, options)),
  start: async ({ emptyStores, entry }, use) => {
    const started: Server[] = []
    await use(async ({ env, ...options } = {}) => {
      const stores = options.beside ? {} : emptyStores()
      const server = await startServer({ mode: entry, ...options, env: { ...stores, ...env } })
      started.unshift(server)
      return server
    })
    // Newest first: it may use the folder of an earlier one.
    for (const server of started) await server.stop()
  },
  attachedOutput: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use, testInfo) => {
      beginTest()
      await use(undefined)
      if (testInfo.status !== testInfo.expectedStatus) await attachOutput(testInfo)
    },
    { auto: true },
  ],
})
