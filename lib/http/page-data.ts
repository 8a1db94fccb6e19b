import type { PostPath, Result } from '@/lib/api/endpoints'
import { ApiError, isApiError } from '@/lib/api/errors'
import type { Account, AccountEvent } from '@/lib/api/schemas'
import { describeAccount } from '@/lib/auth/describe-account'
import { listEvents } from '@/lib/auth/list-events'
import { findSession } from '@/lib/auth/sessions'
import { readToken } from '@/lib/auth/tokens'
import { settings } from '@/lib/settings/settings'
import { callBackend } from './remote-backend/call'
import { readRequestContext, readSession } from './request-context'

/** The signed-in account as `/api/i` returns it, or null. Pages rely on this, not on the proxy, for access control. */
export async function currentAccount(headers: Headers): Promise<Account | null> {
  const { backendUrl } = settings()
  const token = readSession(headers)
  if (backendUrl) return fetchRemoteAccount(headers, token, backendUrl)
  const session = await findSession(token)
  return session && describeAccount(session)
}

/** The newest events of the signed-in account, newest first; none without a session. */
export async function recentEvents(headers: Headers): Promise<AccountEvent[]> {
  const { backendUrl } = settings()
  if (backendUrl) return (await fetchRemote(headers, '/api/i/events', backendUrl))?.events ?? []
  const { events } = await listEvents(await readRequestContext(headers)).catch((error: unknown) => {
    // The session may end between the page's two reads.
    if (isApiError(error) && error.code === 'not_signed_in') return { events: [] }
    throw error
  })
  return events
}

/** The account on the front end of a split deployment. */
async function fetchRemoteAccount(headers: Headers, token: string | null, backendUrl: string): Promise<Account | null> {
  // Treat a token our proxy rejects as signed out; otherwise /signin and /profile redirect to each other forever.
  if (token === null || !(await readToken('session', token))) return null
  return fetchRemote(headers, '/api/i', backendUrl)
}

/**
 * The backend's result for the person who asked for the page, or null without a session.
 *
 * @throws ApiError unavailable, so that a backend that is down does not look like a sign-out
 */
async function fetchRemote<P extends PostPath>(
  headers: Headers,
  path: P,
  backendUrl: string,
): Promise<Result<P> | null> {
  // Only these headers: a page opened by a link from another site carries `Sec-Fetch-Site: cross-site`.
  const sent = new Headers([...headers].filter(([name]) => name === 'cookie' || name === 'authorization'))
  const response = await callBackend(new URL(path, backendUrl), 'POST', sent)
  if (response.status === 401) return null
  if (!response.ok) throw new ApiError('unavailable', { cause: `the backend answered ${response.status}` })
  return response.json()
}

/** What pages need to know of the site. */
export function siteInfo() {
  const { appName, origins, originConfigured } = settings()
  return { appName, origins: [...origins], originConfigured }
}
