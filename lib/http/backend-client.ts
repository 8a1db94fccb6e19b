import * as http from 'node:http'
import * as https from 'node:https'
import { ApiError } from '@/lib/api/errors'
import { attemptMilliseconds, longestWaitMilliseconds, roundMilliseconds } from '@/lib/api/limits'
import { log, onceAMinute } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'

interface BackendRequest {
  method: string
  headers: Headers
  body?: Uint8Array | undefined
  /** Aborts when the client disconnects, so that the backend stops working for nobody. */
  signal?: AbortSignal | undefined
}

/**
 * Sends a request to the backend of a split deployment and returns its response without hop-by-hop headers. Not by `fetch`, which sets its own
 * Sec-Fetch-Mode, decompresses, and under Next caches.
 */
export async function callBackend(url: URL, sent: BackendRequest): Promise<Response> {
  try {
    const incoming = await send(url, sent)
    const bytes = Buffer.concat(await incoming.toArray())
    const status = incoming.statusCode ?? 502
    // The backend logs or counts errors that have an id. Those of a proxy before it, and of its health check, have none.
    const hasId = incoming.headers['x-request-id'] !== undefined
    if (isUnavailableStatus(status) && !hasId) warn(new Error(`the answer was ${status}`), 'backend unavailable')
    return new Response(bodiless.has(status) || sent.method === 'HEAD' ? null : bytes, {
      status,
      headers: headersOf(incoming),
    })
  } catch (cause) {
    if (!sent.signal?.aborted) warn(cause, 'no response from the backend')
    throw new ApiError('unavailable', { retryAfter: 1, cause })
  }
}

/** An unavailable backend answers with these, or the proxy before it. */
export const isUnavailableStatus = (status: number) => [502, 503, 504].includes(status)

const bodiless = new Set([204, 205, 304])

const warn = (err: unknown, message: string) =>
  singleton('backend-warnings', () => onceAMinute((cause: unknown, what: string) => log().warn({ err: cause }, what)))(
    err,
    message,
  )

/** Shorter than servers keep idle connections: a request that is sent while the server closes the connection is lost. */
const idleMilliseconds = 2_000

/**
 * The longest head of a response. A redirect can be six times as long as its request, whose head has 16 KiB at most: it
 * percent-encodes the query, and once more as `next`.
 */
const maxHeaderSize = 6 * 16 * 1024

function send(
  url: URL,
  { method, headers, body, signal: clientSignal }: BackendRequest,
): Promise<http.IncomingMessage> {
  const { request, Agent } = url.protocol === 'https:' ? https : http
  const agent = singleton('backend-agent', () => new Agent({ keepAlive: true, timeout: idleMilliseconds }))
  const deadline = AbortSignal.timeout(deadlineOf(url.pathname))
  // Node sends the body of a DELETE or OPTIONS without its length. The backend would take that body for the next request of
  // the connection, which all visitors share (request smuggling, RFC 9112 section 11.2).
  const length = body?.length ? { 'content-length': String(body.length) } : {}
  const options = {
    method,
    headers: { ...Object.fromEntries(headers), ...length },
    agent,
    signal: deadline,
    maxHeaderSize,
  }
  return new Promise((resolve, reject) => {
    const call = request(url, options, resolve)
    // Not AbortSignal.any(): Node may collect the timeout that it follows, and it would never fire.
    const abort = () => call.destroy(clientSignal?.reason)
    if (clientSignal?.aborted) abort()
    clientSignal?.addEventListener('abort', abort)
    // A response that changes the protocol closes the connection without an error.
    call.on('close', () => reject(new Error('The connection to the backend closed before a response.')))
    call.on('error', reject).end(body)
  })
}

/** Longer than a password sign-in can wait on the backend, and, unless its core is slow, than a change, which hashes several times. */
const usualMilliseconds = longestWaitMilliseconds + 4_000
/** Longer than a round of deliveries with an attempt that begins at its end, and so than one letter. */
const deliveryMilliseconds = roundMilliseconds + attemptMilliseconds + 2_000

/** After so many milliseconds, the backend counts as unavailable. */
const deadlineOf = (path: string) =>
  path === '/api/deliver' || path === '/api/admin/letters/try' ? deliveryMilliseconds : usualMilliseconds

/** Headers for one connection only (RFC 9110 section 7.6.1); `Connection` can name others. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Keeps each line apart, since Set-Cookie lines must not be joined (RFC 6265 section 3). */
function headersOf({ rawHeaders, headers: { connection = '' } }: http.IncomingMessage): Headers {
  const headers = new Headers()
  const named = new Set(connection.toLowerCase().split(/[\s,]+/))
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const key = name.toLowerCase()
    if (!hopByHop.has(key) && !named.has(key)) headers.append(name, value)
  }
  return headers
}
