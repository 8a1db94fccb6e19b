import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { resultWithin } from '@/lib/process/work'
import { settings } from '@/lib/settings/settings'
import { strictHeaders } from '../response/headers'

/** A client that takes nothing of its response for this long is disconnected. */
const stalledMilliseconds = 30_000

/**
 * Longer than proxies keep an idle connection for their next request, mostly a minute: a request that a proxy sends while we
 * close the connection is lost.
 */
const idleMilliseconds = 75_000

/** Bounds what a stranger can pipeline to fill memory; browsers and proxies do not pipeline. */
const maxUnanswered = 4

/** The responses of each connection that have not ended, in the order of their requests. */
const unanswered = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Disconnects idle clients, and those that stopped reading, whose responses Node would keep in memory for ever. Leaves a
 * response that has nothing to send yet, such as a fork's event stream, or one that we are still making.
 */
export function disconnectStalled(server: Server): void {
  // Node counts inactivity in both directions, so a client that reads slowly stays connected.
  server.timeout = stalledMilliseconds
  server.keepAliveTimeout = idleMilliseconds
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || !unanswered.get(socket)?.size) socket.destroy()
  })
}

/**
 * Disconnects after too many pipelined requests, which Node reads without end, holding each response for its turn.
 *
 * @returns true if the connection has ended
 */
export function disconnectPipelining({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const responses = unanswered.get(socket) ?? trackResponses(socket)
  responses.add(response)
  response.once('close', () => responses.delete(response))
  if (responses.size > maxUnanswered) socket.destroy()
  return socket.destroyed
}

/** Resolves once Node has sent all earlier responses of this connection: until then it sends nothing of this one. */
export async function earlierResponsesSent({ socket }: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const earlier of unanswered.get(socket) ?? []) {
    if (earlier === response) return
    await new Promise((sent) => earlier.once('close', sent))
  }
}

function trackResponses(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>()
  unanswered.set(socket, responses)
  // Before version 24, Node ends only the first. The others would keep their places in our queues, which a stranger could fill
  // with abandoned requests.
  socket.once('close', () => {
    for (const response of responses) if (!response.socket && !response.destroyed) response.destroy().emit('close')
  })
  return responses
}

/** The statuses for errors of Node's parser; any other gets 400. */
const statuses: Record<string, number> = {
  HPE_INVALID_METHOD: 405,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Node keeps the response in progress here, and looks at it before it answers an error. */
type HttpSocket = Duplex & { _httpMessage?: ServerResponse | null }

/** Answers requests for which node:http emits no `request`: CONNECT, unknown methods, malformed and late ones. */
export function answerConnectionErrors(server: Server): void {
  // Without this listener, Node closes the connection without a response.
  server.on('connect', (_request, socket) => end(socket, 405))
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => end(socket, statuses[code] ?? 400))
  // Node would answer 417 without our headers.
  server.on('checkExpectation', (request, response) => {
    disconnectPipelining(request, response)
    end(request.socket, 417)
  })
}

/** Ends a connection with a response that has a status and our headers, if it may still have one. */
function end(socket: HttpSocket, status: number) {
  // The client would read a second response as part of the first one's body.
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const headers = {
    Connection: 'close',
    'Content-Length': '0',
    ...(status === 405 && { Allow: 'GET, HEAD, POST' }),
    ...Object.fromEntries(strictHeaders(settings().secureCookies)),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // Without this listener, a connection reset would end the process.
  socket.on('error', () => {})
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`, () => socket.destroy())
}

const addresses = new WeakMap<Socket, string>()

/** Keeps each connection's address, which Node forgets when the client resets the connection. */
export function rememberAddresses(server: Server): void {
  server.on('connection', (socket) => addresses.set(socket, socket.remoteAddress ?? 'unknown'))
}

/** Appends the socket's address to X-Forwarded-For, as the last entry: the one that clients cannot forge. */
export function appendAddress({ headers, rawHeaders, socket }: IncomingMessage): void {
  const before = headers['x-forwarded-for']
  const address = addresses.get(socket) ?? 'unknown'
  rawHeaders.push('X-Forwarded-For', address)
  if (before !== undefined && settings().trustedProxies === 0) singleton('forwarded-for-warning', warnOfProxy)
  headers['x-forwarded-for'] = before === undefined ? address : `${before}, ${address}`
}

const warnOfProxy = () =>
  log().warn('received X-Forwarded-For, but TRUSTED_PROXIES is 0: behind a proxy all clients share one address')

/* Shutting down. */

/** How long requests in progress get: longer than a sign-in expects to wait for its turn to hash, except on a slow core. */
const requestsMilliseconds = 5_000
/** Leaves two seconds at least for what we do after the last response. */
const shutdownMilliseconds = 8_000

/**
 * Prepares a shutdown that finishes the requests in progress.
 *
 * @param stop runs at once, with a promise of the last response, and keeps open until then what these requests need
 * @returns a function that shuts down within 8 seconds and exits with the highest code of its calls
 */
export function prepareShutDown(
  server: Server,
  stop: (lastResponse: Promise<void>) => Promise<void>,
  exit: (code: number) => void = process.exit,
): (code: number) => void {
  const silent = trackSilent(server)
  let highest: number | null = null
  return (code) => {
    const begun = highest !== null
    highest = Math.max(highest ?? 0, code)
    if (begun) return
    const late = setTimeout(() => fail('the shutdown took too long'), shutdownMilliseconds)
    const fail = (message: string, err?: unknown) => {
      log().error({ err }, message)
      exit(1)
    }
    stop(closeConnections(server, silent))
      .then(() => exit(highest ?? 0))
      .catch((err: unknown) => fail('the shutdown failed', err))
      .finally(() => clearTimeout(late))
  }
}

/** Resolves once the requests in progress have their responses, or have taken too long: a body may never arrive. */
async function closeConnections(server: Server, silent: Set<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  for (const socket of silent) socket.destroy()
  await resultWithin(requestsMilliseconds, closed)
  server.closeAllConnections()
}

/** Tracks connections without a request yet, such as a browser's preconnect: closeIdleConnections() leaves them open. */
function trackSilent(server: Server): Set<Socket> {
  const silent = new Set<Socket>()
  server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))
  return silent
}
