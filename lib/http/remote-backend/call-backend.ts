import * as http from 'node:http'
import * as https from 'node:https'
import { ApiError } from '@/lib/api/errors'
import { log } from '@/lib/process/log'
import { onceAMinute } from '@/lib/process/once-a-minute'
import { singleton } from '@/lib/process/singleton'
import { deadlineOf } from './deadlines'

/** Shorter than servers keep idle connections, so that none closes as the next request uses it. */
const idleMilliseconds = 2_000

/** RFC 9110 section 7.6.1; `Connection` can name others. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Of a response. A redirect can be six times as long as its request, whose head has 16 KiB at most: it encodes the query, and
 * once more as `next`.
 */
const maxHeaderSize = 6 * 16 * 1024

const bodiless = new Set([204, 205, 304])

/** Of a backend that is unavailable, or of a proxy before it. */
export const isUnavailableStatus = (status: number) => [502, 503, 504].includes(status)

/** Returns the response without its hop-by-hop headers. `fetch` would set its own Sec-Fetch-Mode, decompress, and cache under Next. */
export async function callBackend(url: URL, sent: BackendRequest): Promise<Response> {
  try {
    const incoming = await send(url, sent)
    const bytes = Buffer.concat(await incoming.toArray())
    const status = incoming.statusCode ?? 502
    // A backend's errors have an id, and it logs or counts them itself. A proxy's before it, and its health check's, have none.
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

const warn = (err: unknown, message: string) =>
  singleton('backend-warnings', () => onceAMinute((cause: unknown, what: string) => log().warn({ err: cause }, what)))(
    err,
    message,
  )

interface BackendRequest {
  method: string
  headers: Headers
  body?: Uint8Array | undefined
  /** Aborts when the client disconnects, so that the backend stops working for nobody. */
  signal?: AbortSignal | undefined
}

function send(
  url: URL,
  { method, headers, body, signal: clientSignal }: BackendRequest,
): Promise<http.IncomingMessage> {
  const { request, Agent } = url.protocol === 'https:' ? https : http
  const agent = singleton('backend-agent', () => new Agent({ keepAlive: true, timeout: idleMilliseconds }))
  const deadline = AbortSignal.timeout(deadlineOf(url.pathname))
  // Node sends the body of a DELETE or OPTIONS without its length, and the backend would take it for the next request of the
  // connection, which all visitors share (request smuggling, RFC 9112 section 11.2).
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
    // Not AbortSignal.any(): the timeout that it follows can be garbage collected.
    const abort = () => call.destroy(clientSignal?.reason)
    if (clientSignal?.aborted) abort()
    clientSignal?.addEventListener('abort', abort)
    // Without an error, where the response is a change of protocol.
    call.on('close', () => reject(new Error('The connection to the backend closed before a response.')))
    call.on('error', reject).end(body)
  })
}

/** One entry per line: Set-Cookie lines must not be joined (RFC 6265 section 3). */
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
