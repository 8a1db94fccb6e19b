import { createServer, type ServerResponse } from 'node:http'
import { withCapabilities } from '../browser/pages'
import { test as base, expect } from '../fixtures'
import { freePort } from '../machine/ports'
import { type Mode, type Server, type ServerOptions, startServer } from '../server/server'
import { listenLocally } from './listen-locally'

export { expect }

export type SplitDeployment = { frontEnd: Server; backend: Server }

type SplitDeploymentOptions = {
  /** How the front end starts. */
  mode?: Mode
  /** Settings of the backend. */
  env?: ServerOptions['env']
  /** Settings of the front end, in addition to those that tie it to the backend. */
  frontEndEnv?: ServerOptions['env']
}

type PerTest = {
  /** A front end and a backend that the tests of a spec share. */
  splitDeployment: SplitDeployment
  /** Starts a backend and a front end for this test alone. */
  startSplitDeployment: (options?: SplitDeploymentOptions) => Promise<SplitDeployment>
  /** Starts a front end alone, before a backend of the test's making. */
  startFrontEnd: (backendUrl: string) => Promise<Server>
}

export const test = base.extend<PerTest>({
  startSplitDeployment: async ({ entry }, use) => {
    const started: Server[] = []
    await use(async (options) => {
      const { frontEnd, backend } = await startBoth({ mode: entry, ...options })
      started.push(frontEnd, backend)
      return { frontEnd, backend }
    })
    for (const server of started) await server.stop()
  },
  startFrontEnd: async ({ start }, use) => {
    await use((backendUrl) => start({ env: { BACKEND_URL: backendUrl } }))
  },
  context: async ({ context }, use) => {
    // As in other tests of pages: where only a security key could store a passkey, sign-up begins with the password.
    await withCapabilities(context, { hybridTransport: true })
    await use(context)
  },
  splitDeployment: async ({ entry, keep }, use) => {
    const shared = await keep('split deployment', async (onEnd) => {
      const { frontEnd, backend } = await startBoth({ mode: entry, env: { RATE_LIMIT_ADDRESS_MAX: '100000' } })
      for (const server of [backend, frontEnd]) onEnd(() => server.stop())
      return { frontEnd, backend }
    })
    await use(shared)
  },
})

async function startBoth({ mode, env, frontEndEnv }: SplitDeploymentOptions): Promise<SplitDeployment> {
  const port = await freePort()
  // A backend serves no pages, and its public address is the front end's.
  const APP_ORIGIN = `http://localhost:${port}`
  const backend = await startServer({ mode: 'api-only', env: { APP_ORIGIN, ...env } })
  const tie = { PORT: String(port), APP_ORIGIN, BACKEND_URL: backend.url, JWT_SECRET: backend.secret }
  try {
    return { frontEnd: await startServer({ ...(mode && { mode }), env: { ...tie, ...frontEndEnv } }), backend }
  } catch (error) {
    await backend.stop()
    throw error
  }
}

/** An HTTP server in place of a backend; `answer` may be replaced while it runs. */
export async function fakeBackend(answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume()
    fake.answer(response)
  })
  const fake = { answer, ...(await listenLocally(server)) }
  return fake
}
