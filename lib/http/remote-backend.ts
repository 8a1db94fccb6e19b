import { type BodyMode, isEndpoint, type PostBody, type PostPath, type PostResult } from '@/lib/api/endpoints'
import { ApiError, isApiError } from '@/lib/api/errors'
import { accountHeader, stepUpHeader } from '@/lib/api/names'
import { readSessionToken, readToken } from '@/lib/auth/tokens/tokens'
import { log } from '@/lib/process/log'
import { recorder } from '@/lib/process/recorder'
import { singleton } from '@/lib/process/singleton'
import { callBackend, isUnavailableStatus } from './backend-client'
import { readBytes } from './request/body'
import { signClientAddress } from './request/client-address'
import { sessionTokenOf } from './request/context'
import { readSetCookie } from './request/cookies'
import { proxiedHost } from './request/headers'
import { pathOf, searchOf } from './request/target'

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

/**
 * Calls an endpoint that requires a session, with the headers of a page's own request. Null without a session, and for 400 and 401; below /api/admin also for somebody who
 * is no administrator any more, and for what is not there.
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
  if (status === 400 || status === 401) return null
  if (path.startsWith('/api/admin/') && (status === 403 || status === 404)) return null
  if (path === '/api/oauth/device/request' && status === 404) return null
  if (status === 429) throw new ApiError('too_many_attempts')
  if (isUnavailableStatus(status)) throw new ApiError('unavailable')
  if (!response.ok) throw new Error(`the backend answered ${status} to ${path}`)
  return response.json()
}
