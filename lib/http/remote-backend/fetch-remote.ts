import type { Body, PostPath, Result } from '@/lib/api/endpoints'
import { ApiError } from '@/lib/api/errors'
import { readSessionToken } from '@/lib/auth/tokens/session-token'
import { settings } from '@/lib/settings/settings'
import { sessionTokenOf } from '../request/session-token'
import { callBackend } from './call-backend'
import { signClientAddress } from './signed-client-address'

/** On a front end, the result of the backend's endpoint. */
export async function locallyOrRemote<P extends PostPath>(
  headers: Headers,
  path: P,
  locally: () => Promise<Result<P> | null>,
  body?: Body<P>,
): Promise<Result<P> | null> {
  const { backendUrl } = settings()
  return backendUrl ? fetchRemote(headers, path, backendUrl, body) : locally()
}

/** Of an endpoint that requires a session. Null without one, and for 400 and 401; other errors are no sign-out, and throw. */
export async function fetchRemote<P extends PostPath>(
  headers: Headers,
  path: P,
  backendUrl: string,
  body?: Body<P>,
): Promise<Result<P> | null> {
  // Treat a token our proxy rejects as signed out; otherwise /signin and /profile redirect to each other forever.
  if (!(await readSessionToken(sessionTokenOf(headers) ?? ''))) return null
  // Only these headers: a page opened by a link from another site carries `Sec-Fetch-Site: cross-site`.
  const sent = new Headers([...headers].filter(([name]) => name === 'cookie' || name === 'authorization'))
  if (body) sent.set('Content-Type', 'application/json')
  await signClientAddress(headers, sent)
  const bytes = body && Buffer.from(JSON.stringify(body))
  const response = await callBackend(new URL(path, backendUrl), 'POST', sent, { body: bytes })
  if (response.status === 400 || response.status === 401) return null
  if (!response.ok) throw new ApiError('unavailable', { cause: `the backend answered ${response.status}` })
  return response.json()
}
