import type { PostBody, PostPath, PostResult } from '@/lib/api/endpoints'
import { ApiError } from '@/lib/api/errors'
import { readSessionToken } from '@/lib/auth/tokens/session-token'
import { sessionTokenOf } from '../request/session-token'
import { callBackend, isUnavailableStatus } from './call-backend'
import { signClientAddress } from './signed-client-address'

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
