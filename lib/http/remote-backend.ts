import * as http from 'node:http'
import * as https from 'node:https'
import { type BodyMode, isEndpoint, type PostBody, type PostPath, type PostResult, rows } from '@/lib/api/endpoints'
import { ApiError, isApiError } from '@/lib/api/errors'
import { attemptMilliseconds, longestWaitMilliseconds, roundMilliseconds } from '@/lib/api/limits'
import { accountHeader, stepUpHeader } from '@/lib/api/names'
import { readSessionToken, readToken } from '@/lib/auth/tokens/tokens'
import { log, onceAMinute } from '@/lib/process/log'
import { recorder } from '@/lib/process/recorder'
import { singleton } from '@/lib/process/singleton'
import { proxiedHost, signClientAddress } from './request/addresses'
import { readBytes } from './request/body'
import { sessionTokenOf } from './request/context'
import { readSetCookie } from './request/cookies'
import { pathOf, searchOf } from './request/head'

/** Passes a request to the backend of a split deployment, which checks the Origin. Both sides record the same request id. */
export async function forward(
  request: Request,
  { bodyMode, maxBody }: { bodyMode: BodyMode; maxBody?: number | undefined },
  backendUrl: string,
): Promise<Response> {
  const pathname = pathOf(request.url)
  if (!mayBeForwarded(pathname)) throw new ApiError('not_found')
  const body = await readBytes(request, maxBody).catch((error: unknown) => {
    // The backend ignores this body, so its size does not matter.
    if (bodyMode === 'ignored' && isApiError(error) && error.code === 'payload_too_large') return undefined
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

/** Passes these headers on. Clients could forge others (X-Forwarded-For, a signed address), and platforms add secrets. */
const passed =
  /^(accept|accept-language|access-control-request-.*|authorization|content-type|cookie|origin|referer|user-agent|sec-fetch-.*|sec-ch-.*)$/

const ours = new Set([accountHeader, stepUpHeader].map((name) => name.toLowerCase()))

/** Leaves out Next's copy of this front end's Host: the backend, which has another Host, would take it for an app's. */
function passedHeaders(headers: Headers, path: string): Headers {
  const sent = new Headers([...headers].filter(([name]) => passed.test(name) || ours.has(name)))
  if (path !== '/api/forward-auth' || proxiedHost(headers) === null) return sent
  for (const name of ['X-Forwarded-Host', 'X-Forwarded-Uri']) {
    const value = headers.get(name)
    if (value !== null) sent.set(name, value)
  }
  return sent
}

/** A proxy before the backend may decode a path again or resolve its dots, which must not lead out of /api. */
const mayBeForwarded = (path: string) =>
  isEndpoint(path) || (path.startsWith('/api/') && !/%2f|%5c|%25|\\|\/(\.|%2e){1,2}(\/|$)/i.test(path))

/** Rejects a new session that does not verify here, because the next page would redirect to /signin without an explanation. */
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

/** The statuses by which a backend has nothing for a page, by the beginning of the path. */
const nothingAt: readonly [prefix: string, statuses: readonly number[]][] = [
  // A parameter of the page's address is none, or the session has ended since the page began.
  ['/api/', [400, 401]],
  // Somebody is no administrator any more, or what the page is about is gone.
  ['/api/admin/', [403, 404]],
  // Nobody asks with this code, or any more.
  ['/api/oauth/device/request', [404]],
]

/**
 * Calls an endpoint that requires a session, with the headers of a page's own request. Null without a session, and where
 * `nothingAt` says so.
 *
 * @throws ApiError unavailable; another error for a status that no backend of ours sends
 */
export async function fetchRemote<P extends PostPath>(
  backendUrl: string,
  path: P,
  headers: Headers,
  body: PostBody<P>,
): Promise<PostResult<P> | null> {
  // Pages treat a token that does not verify here as signed out. So must this: else /signin and /profile redirect to each other
  // forever.
  const token = sessionTokenOf(headers) ?? ''
  if (!(await readSessionToken(token))) return null
  // Sends no other header of the page's: `Sec-Fetch-Site: cross-site`, after a link on another site, would be rejected, and with
  // all cookies the head can be longer than the backend accepts.
  const sent = new Headers({ Authorization: `Bearer ${token}` })
  if (body) sent.set('Content-Type', 'application/json')
  await signClientAddress(headers, sent)
  const bytes = body && Buffer.from(JSON.stringify(body))
  const response = await callBackend(new URL(path, backendUrl), { method: 'POST', headers: sent, body: bytes })
  const { status } = response
  if (nothingAt.some(([prefix, statuses]) => path.startsWith(prefix) && statuses.includes(status))) return null
  if (status === 429) throw new ApiError('too_many_attempts')
  if (isUnavailableStatus(status)) throw new ApiError('unavailable')
  if (!response.ok) throw new Error(`the backend answered ${status} to ${path}`)
  return response.json()
}

interface BackendRequest {
  method: string
  headers: Headers
  body?: Uint8Array | undefined
  /** Aborts when the client disconnects, so that the backend stops working for nobody. */
  signal?: AbortSignal | undefined
}

/**
 * Sends a request to the backend and returns its response without hop-by-hop headers. Not by `fetch`, which sets its own
 * Sec-Fetch-Mode, decompresses, and under Next caches.
 */
async function callBackend(url: URL, sent: BackendRequest): Promise<Response> {
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
const isUnavailableStatus = (status: number) => [502, 503, 504].includes(status)

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

/**
 * Longer than a password sign-in can wait on the backend, and, unless its core is slow, than a change, which hashes several
 * times.
 */
const usualMilliseconds = longestWaitMilliseconds + 4_000
/** Longer than a round of deliveries with an attempt that begins at its end, and so than one letter. */
const deliveryMilliseconds = roundMilliseconds + attemptMilliseconds + 2_000

const sendingPaths = new Set<string>(rows.filter(({ sends }) => sends).map(({ path }) => path))

/** After this many milliseconds, the backend counts as unavailable. */
const deadlineOf = (path: string) => (sendingPaths.has(path) ? deliveryMilliseconds : usualMilliseconds)

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
