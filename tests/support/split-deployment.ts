import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base, expect } from './fixtures'
import { freePort } from './processes'
import { type Server, type ServerOptions, startServer } from './server'

export { expect }

export type SplitDeployment = { frontEnd: Server; backend: Server }

type SplitDeploymentOptions = Pick<ServerOptions, 'mode'> & {
  /** Settings of the backend. */
  env?: ServerOptions['env']
  /** Settings of the front end, over what ties it to the backend. */
  frontEndEnv?: ServerOptions['env']
}

type PerTest = {
  /** Starts a backend and a front end that forwards to it, which end with the test. */
  startSplitDeployment: (options?: SplitDeploymentOptions) => Promise<SplitDeployment>
}

export const test = base.extend<PerTest>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
  startSplitDeployment: async ({}, use) => {
    const started: Server[] = []
    await use(async ({ mode = 'node', env = {}, frontEndEnv = {} } = {}) => {
      const port = await freePort()
      // The backend's public address is the front end's.
      const APP_ORIGIN = `http://localhost:${port}`
      const backend = await startServer({ env: { APP_ORIGIN, ...env } })
      started.unshift(backend)
      const tie = { PORT: String(port), APP_ORIGIN, BACKEND_URL: backend.url, JWT_SECRET: backend.secret }
      const frontEnd = await startServer({ mode, env: { ...tie, ...frontEndEnv } })
      started.unshift(frontEnd)
      return { frontEnd, backend }
    })
    for (const server of started) await server.stop()
  },
})

/** A backend that answers as told; `answer` may be changed while it runs. */
export async function fakeBackend(answer: (response: ServerResponse) => void) {
  const fake = { answer, url: '', close: () => {} }
  const server = createServer((request, response) => {
    request.resume()
    fake.answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  fake.close = () => {
    server.close()
    server.closeAllConnections()
  }
  return fake
}
