import { hash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
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

const linesOf = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.flatMap((name, index): Seen['headers'] =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? '']] : [],
  )

/** A text frame of a WebSocket with fewer than 126 bytes (RFC 6455 section 5.2). */
const frameOf = (text: string) => Buffer.concat([Buffer.from([0x81, Buffer.byteLength(text)]), Buffer.from(text)])

/** Answers each short message of a client with what it says, in capitals. */
function echo(request: IncomingMessage, socket: Duplex): void {
  const accept = hash('sha1', `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64')
  const head = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket']
  socket.write([...head, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'))
  socket.on('error', () => {})
  socket.on('end', () => socket.end())
  socket.on('data', (frame: Buffer) => {
    // A browser's closing frame is the last.
    if (frame[0] !== 0x81) {
      socket.end()
      return
    }
    const [mask, masked] = [frame.subarray(2, 6), frame.subarray(6)]
    const text = Buffer.from(masked.map((byte, index) => byte ^ (mask[index % 4] ?? 0))).toString()
    socket.write(frameOf(text.toUpperCase()))
  })
}

/**
 * An app that knows nothing of Latchkey: it answers with a form, and remembers what it was asked. `/events` is a stream that says
 * `first`, and ends with `second` when /second is asked for; `/upload` answers with the number of bytes; WebSockets echo.
 */
async function startApp() {
  const seen: Seen[] = []
  let sendSecond = () => {}
  const server = createServer({ maxHeaderSize: 64 * 1024 }, async (request, response) => {
    const { method = '', url = '' } = request
    const kept = { method, url, headers: linesOf(request) }
    if (url === '/upload') {
      let bytes = 0
      for await (const chunk of request) bytes += chunk.length
      seen.push({ ...kept, body: '' })
      response.end(String(bytes))
      return
    }
    const chunks = await request.toArray()
    seen.push({ ...kept, body: Buffer.concat(chunks).toString() })
    if (url === '/events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: first\n\n')
      sendSecond = () => response.end('data: second\n\n')
      return
    }
    if (url === '/second') sendSecond()
    response.setHeader('Content-Type', 'text/html')
    response.end(
      '<link rel="icon" href="data:,"><title>App</title><form method="post" action="/save"><button name="a" value="b">Save</button></form>',
    )
  })
  server.on('upgrade', (request, socket) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: linesOf(request), body: '' })
    echo(request, socket)
  })
  const { port, close } = await listenLocally(server)
  const last = () => seen.at(-1) as Seen
  return { port, seen, last, close }
}

export type App = Awaited<ReturnType<typeof startApp>>

/** The headers by which the app learns its visitor, and those that it could mistake for them. nginx drops empty ones. */
export const identityIn = ({ headers }: Seen) =>
  headers.filter(([name, value]) => name.startsWith('remote') && value !== '').sort()

export const identity = (
  who: { id: string; username: string },
  method: string,
  { groups = '', name = '' } = {},
): Seen['headers'] => [
  ...(groups ? [['remote-groups', groups] as [string, string]] : []),
  ['remote-method', method],
  ...(name ? [['remote-name', name] as [string, string]] : []),
  ['remote-user', who.username],
  ['remote-user-id', who.id],
]

export interface Proxied {
  app: App
  proxiedServer: Server
  reverseProxy: ReverseProxy
}

/**
 * Latchkey and an app on a sibling sub-domain behind one reverse proxy with TLS. They last as long as a worker, whose browser is
 * started with the proxy's port.
 */
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
