import { type BodyMode, methodsByPath } from '@/lib/api/endpoints'
import { ApiError, isApiError } from '@/lib/api/errors'
import { accountHeader, stepUpHeader } from '@/lib/api/headers'
import { readToken } from '@/lib/auth/tokens/tokens'
import { log } from '@/lib/process/log'
import { recorder } from '@/lib/process/recorder'
import { singleton } from '@/lib/process/singleton'
import { readBytes } from '../request/body'
import { readSetCookie } from '../request/cookies'
import { proxiedHost } from '../request/proxied-host'
import { pathOf, searchOf } from '../request/request-target'
import { callBackend } from './call-backend'
import { signClientAddress } from './signed-client-address'

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
