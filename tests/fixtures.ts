import { test as base, expect } from 'playwright/test'
import { Authenticator } from './authenticator'
import { Client, type ClientOptions } from './client'
import { type Server, type ServerOptions, startServer } from './server'

export { expect }

type PerTest = {
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
  /** One server for all tests of a worker; its address quota never gets in their way. */
  server: Server
}

export const test = base.extend<PerTest, PerWorker>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const server = await startServer({ env: { RATE_LIMIT_ADDRESS_MAX: '100000' } })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  client: async ({ server }, use) => use(new Client(server)),
  authenticator: async ({ server }, use) => use(new Authenticator(server.origin)),
  another: async ({ server }, use) => use((options) => new Client(server, options)),
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  start: async ({}, use) => {
    const started: Server[] = []
    await use(async (options) => {
      const server = await startServer(options)
      started.unshift(server)
      return server
    })
    // The newest ends first: it may use the folder of the one before it.
    for (const server of started) await server.stop()
  },
})
