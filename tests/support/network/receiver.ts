import { once } from 'node:events'
import { createServer, type Server as HttpServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from '../fixtures'

export interface Received {
  path: string
  headers: Record<string, string>
  body: string
}

/** What a receiver answers: a status, or whatever a listener does. */
type Answer = number | RequestListener

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** From now on. */
  answer(answer: Answer): void
  /** Waits until this many requests have arrived in all. */
  until(count: number, timeout?: number): Promise<readonly Received[]>
  stop(): Promise<void>
}

/** An HTTP server that keeps what it receives. With `tls` it speaks https. */
export async function startReceiver(
  given: Answer = 204,
  { host = '127.0.0.1', port = 0, tls }: { host?: string; port?: number; tls?: { key: string; cert: string } } = {},
): Promise<Receiver> {
  let answer = given
  const received: Received[] = []
  const listener: RequestListener = async (request: IncomingMessage, response) => {
    const body = await text(request).catch(() => null)
    // Cut by a sender whose process was killed.
    if (body === null) return
    received.push({ path: request.url ?? '', headers: request.headers as Record<string, string>, body })
    if (typeof answer === 'number') response.writeHead(answer).end()
    else answer(request, response)
  }
  const server: HttpServer = tls ? createTlsServer(tls, listener) : createServer(listener)
  await once(server.listen(port, host), 'listening')
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${bound}/hooks`,
    port: bound,
    received,
    answer(next) {
      answer = next
    },
    async until(count, timeout = 60_000) {
      await expect.poll(() => received.length, { timeout, intervals: [20] }).toBeGreaterThanOrEqual(count)
      return received
    },
    async stop() {
      if (!server.listening) return
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
