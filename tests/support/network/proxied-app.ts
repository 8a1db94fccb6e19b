import { createServer } from 'node:http'
import { test as base } from '../fixtures'
import { type Server, startServer } from '../server/server'
import { SIBLINGS } from '../your-app/sibling-apps'
import { listenLocally } from './listen-locally'
import { type ProxyName, type ReverseProxy, startProxy } from './reverse-proxies'

/** A request as the app got it. */
export interface Seen {
  method: string
  url: string
  /** Name and value of each header line, in lower case the former. */
  headers: [name: string, value: string][]
  body: string
}

/** An app that knows nothing of Latchkey: it answers everything with a form, and remembers what it was asked. */
async function startApp() {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', rawHeaders } = request
    const headers = rawHeaders.flatMap((name, index): Seen['headers'] =>
      index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? '']] : [],
    )
    const chunks = await request.toArray()
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
    response.setHeader('Content-Type', 'text/html')
    response.end(
      '<link rel="icon" href="data:,"><title>App</title><form method="post" action="/save"><button name="a" value="b">Save</button></form>',
    )
  })
  const { port, close } = await listenLocally(server)
  const last = () => seen.at(-1) as Seen
  return { port, seen, last, close }
}

export type App = Awaited<ReturnType<typeof startApp>>

/** The headers by which the app learns its visitor, and those that it could mistake for them. nginx drops empty ones. */
export const identityIn = ({ headers }: Seen) =>
  headers.filter(([name, value]) => name.startsWith('remote') && value !== '').sort()

export const identity = (who: { id: string; username: string }, method: string, groups = ''): Seen['headers'] => [
  ...(groups ? [['remote-groups', groups] as [string, string]] : []),
  ['remote-method', method],
  ['remote-user', who.username],
  ['remote-user-id', who.id],
]

export interface Proxied {
  app: App
  proxiedServer: Server
  reverseProxy: ReverseProxy
}

/** Latchkey and an app on a sibling sub-domain behind one reverse proxy with TLS. They last as long as a worker, whose browser is started with the proxy's port. */
export const testBehind = (name: ProxyName) =>
  base.extend<object, Proxied>({
    runsOn: ['openssl', name],
    server: async ({ proxiedServer }, use) => use(proxiedServer),
    proxiedServer: [
      async ({ emptyStores, entry }, use) => {
        const server = await startServer({ mode: entry, env: { ...emptyStores(), ...SIBLINGS, TRUSTED_PROXIES: '1' } })
        await use(server)
        await server.stop()
      },
      { scope: 'worker' },
    ],
    app: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
      async ({}, use) => {
        const app = await startApp()
        await use(app)
        await app.close()
      },
      { scope: 'worker' },
    ],
    reverseProxy: [
      async ({ proxiedServer, app }, use) => {
        const proxy = await startProxy(name, proxiedServer.port, app.port)
        await use(proxy)
        await proxy.stop()
      },
      { scope: 'worker' },
    ],
  })
