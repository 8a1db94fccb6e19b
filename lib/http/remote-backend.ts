import * as http from 'node:http'
import * as https from 'node:https'
import { type BodyMode, methodsByPath, type PostBody, type PostPath, type PostResult } from '@/lib/api/endpoints'
import { ApiError, isApiError } from '@/lib/api/errors'
import { accountHeader, stepUpHeader } from '@/lib/api/names'
import { longestWaitMilliseconds } from '@/lib/auth/passwords/hash-queue'
import { readSessionToken } from '@/lib/auth/tokens/session-token'
import { readToken } from '@/lib/auth/tokens/tokens'
import { roundMilliseconds } from '@/lib/delivery/delivering'
import { attemptMilliseconds } from '@/lib/delivery/receiver'
import { log, onceAMinute } from '@/lib/process/log'
import { recorder } from '@/lib/process/recorder'
import { singleton } from '@/lib/process/singleton'
import { readBytes } from './request/body'
import { signClientAddress } from './request/client-address'
import { sessionTokenOf } from './request/context'
import { readSetCookie } from './request/cookies'
import { pathOf, proxiedHost, searchOf } from './request/headers'

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
const isUnavailableStatus = (status: number) => [502, 503, 504].includes(status)

/** Returns the response without its hop-by-hop headers. `fetch` would set its own Sec-Fetch-Mode, decompress, and cache under Next. */
async function callBackend(url: URL, sent: BackendRequest): Promise<Response> {
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

/** Longer than a password sign-in, which hashes up to four times, can wait on the backend. */
const usualMilliseconds = 4 * longestWaitMilliseconds + 8_000
/** Longer than a round with an attempt that begins at its end. */
const deliveryMilliseconds = roundMilliseconds + attemptMilliseconds + 2_000

/** Milliseconds after which the backend counts as unavailable. */
const deadlineOf = (path: string) => (path === '/api/deliver' ? deliveryMilliseconds : usualMilliseconds)

/** No others: clients could forge X-Forwarded-For or a signed address, and platforms add secrets to requests. */
const passed =
  /^(accept|accept-language|access-control-request-.*|authorization|content-type|cookie|origin|referer|user-agent|sec-fetch-.*|sec-ch-.*)$/

const ours = new Set([accountHeader, stepUpHeader].map((name) => name.toLowerCase()))

/** The response of the backend of a split deployment, which checks the Origin. Both sides record the same request id. */
export async function forward(request: Request, mode: BodyMode, backendUrl: string): Promise<Response> {
  const pathname = pathOf(request.url)
  if (!mayBeForwarded(pathname)) throw new ApiError('not_found')
  const body = await readBytes(request).catch((error: unknown) => {
    // The backend ignores this body, so its size does not matter.
    if (mode === 'ignored' && isApiError(error) && error.code === 'payload_too_large') return undefined
    throw error
  })
  const headers = passedHeaders(request.headers, pathname)
  await signClientAddress(request.headers, headers)
  const url = Object.assign(new URL(backendUrl), { pathname, search: searchOf(request.url) })
  const response = await callBackend(url, { method: request.method, headers, body, signal: request.signal })
  await requireSharedSecret(response)
  const requestId = response.headers.get('X-Request-Id')
  if (requestId !== null) recorder()?.nameRequest(requestId)
  return response
}

/** A proxy before the backend may decode a path again or resolve its dots, which must not lead out of /api. */
const mayBeForwarded = (path: string) =>
  Object.hasOwn(methodsByPath, path) ||
  (path.startsWith('/api/') && !/%2f|%5c|%25|\\|\/(\.|%2e){1,2}(\/|$)/i.test(path))

/** Next's copy of this front end's Host is not passed on: the backend, which has another Host, would take it for an app's. */
function passedHeaders(headers: Headers, path: string): Headers {
  const sent = new Headers([...headers].filter(([name]) => passed.test(name) || ours.has(name)))
  if (path !== '/api/forward-auth' || proxiedHost(headers) === null) return sent
  for (const name of ['X-Forwarded-Host', 'X-Forwarded-Uri']) {
    const value = headers.get(name)
    if (value !== null) sent.set(name, value)
  }
  return sent
}

/** Rejects a new session that does not verify here: the next page would redirect to /signin without an explanation. */
async function requireSharedSecret({ headers }: Response): Promise<void> {
  const token = readSetCookie(headers, 'session')
  if (token === null || (await readToken('session', token))) return
  singleton('shared-secret-error', logMismatch)
  throw new ApiError('authentication_failed')
}

const logMismatch = () =>
  log().error(
    'sign-in fails here: a session of the backend does not verify, because JWT_SECRET differs from the backend or the clocks do',
  )

/** A page's call of an endpoint, with the headers of the page's own request. */
export interface PageCall<P extends PostPath> {
  path: P
  headers: Headers
  body?: PostBody<P>
}

/**
 * Calls an endpoint that requires a session. Null without one, and for 400 and 401.
 *
 * @throws ApiError unavailable; any other error if the backend answers what no backend should
 */
export async function fetchRemote<P extends PostPath>(
  backendUrl: string,
  { path, headers, body }: PageCall<P>,
): Promise<PostResult<P> | null> {
  // Treat a token our proxy rejects as signed out; otherwise /signin and /profile redirect to each other forever.
  const token = sessionTokenOf(headers) ?? ''
  if (!(await readSessionToken(token))) return null
  // No other header of the page's: one opened by a link from another site carries `Sec-Fetch-Site: cross-site`, and with all
  // cookies the head can be longer than the backend takes.
  const sent = new Headers({ Authorization: `Bearer ${token}` })
  if (body) sent.set('Content-Type', 'application/json')
  await signClientAddress(headers, sent)
  const bytes = body && Buffer.from(JSON.stringify(body))
  const response = await callBackend(new URL(path, backendUrl), { method: 'POST', headers: sent, body: bytes })
  if (response.status === 400 || response.status === 401) return null
  if (isUnavailableStatus(response.status)) throw new ApiError('unavailable')
  if (!response.ok) throw new Error(`the backend answered ${response.status} to ${path}`)
  return response.json()
}
