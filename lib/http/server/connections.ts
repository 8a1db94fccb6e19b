import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { strictHeaders } from '../response/headers'

/** Silence while a response is being made does not count. */
const stalledMilliseconds = 30_000

/**
 * Longer than proxies keep an idle connection for their next request, mostly a minute: a connection that closes as the
 * request is sent loses it.
 */
const idleMilliseconds = 75_000

/** Browsers and proxies do not pipeline. */
const maxUnanswered = 4

const unanswered = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Disconnects clients that stopped reading, whose responses Node would keep in memory for ever, and idle ones. A request
 * whose response has nothing to send may wait: a fork's event stream.
 */
export function disconnectStalled(server: Server): void {
  // Inactivity in both directions: a client that reads slowly is not disconnected.
  server.timeout = stalledMilliseconds
  server.keepAliveTimeout = idleMilliseconds
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || !unanswered.get(socket)?.size) socket.destroy()
  })
}

/**
 * Disconnects after too many pipelined requests: Node reads them without end and holds each response for its turn.
 *
 * @returns whether the connection has ended
 */
export function disconnectPipelining({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const responses = unanswered.get(socket) ?? trackResponses(socket)
  responses.add(response)
  response.once('close', () => responses.delete(response))
  if (responses.size > maxUnanswered) socket.destroy()
  return socket.destroyed
}

/** Resolves once all responses before this one on its connection have been sent: until then nothing of it can be. */
export async function earlierResponsesSent({ socket }: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const earlier of unanswered.get(socket) ?? []) {
    if (earlier === response) return
    await new Promise((sent) => earlier.once('close', sent))
  }
}

function trackResponses(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>()
  unanswered.set(socket, responses)
  // Before version 24, Node ends only the first: the others would keep their places in our queues, and a stranger could fill
  // those with requests that he has abandoned.
  socket.once('close', () => {
    for (const response of responses) if (!response.socket && !response.destroyed) response.destroy().emit('close')
  })
  return responses
}

const statuses: Record<string, number> = {
  HPE_INVALID_METHOD: 405,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Where node:http keeps the response in progress, and looks before it answers an error. */
type HttpSocket = Duplex & { _httpMessage?: ServerResponse | null }

/** Responds where node:http emits no `request`: to CONNECT, unknown methods, malformed and late requests. */
export function answerConnectionErrors(server: Server): void {
  // Without a listener, Node closes the connection without a response.
  server.on('connect', (_request, socket) => end(socket, 405))
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => end(socket, statuses[code] ?? 400))
  // Node would answer 417 without our headers.
  server.on('checkExpectation', (request, response) => {
    disconnectPipelining(request, response)
    end(request.socket, 417)
  })
}

function end(socket: HttpSocket, status: number) {
  // A second response would become part of the first one's body.
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const headers = {
    Connection: 'close',
    'Content-Length': '0',
    ...(status === 405 && { Allow: 'GET, HEAD, POST' }),
    ...strictHeaders(settings().secureCookies),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // Without a listener, a connection reset would end the process.
  socket.on('error', () => {})
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`, () => socket.destroy())
}

const addresses = new WeakMap<Socket, string>()

/** A connection that is reset loses its address. */
export function rememberAddresses(server: Server): void {
  server.on('connection', (socket) => addresses.set(socket, socket.remoteAddress ?? 'unknown'))
}

/** Appends the socket's address to X-Forwarded-For: the last entry, which clients cannot forge. */
export function appendAddress({ headers, rawHeaders, socket }: IncomingMessage): void {
  const before = headers['x-forwarded-for']
  const address = addresses.get(socket) ?? 'unknown'
  rawHeaders.push('X-Forwarded-For', address)
  if (before !== undefined && settings().trustedProxies === 0) singleton('forwarded-for-warning', warnOfProxy)
  headers['x-forwarded-for'] = before === undefined ? address : `${before}, ${address}`
}

const warnOfProxy = () =>
  log().warn('received X-Forwarded-For, but TRUSTED_PROXIES is 0: behind a proxy all clients share one address')
