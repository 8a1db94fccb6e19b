import { ApiError, isApiError } from '@/lib/api/errors'
import { describeAccount } from '@/lib/auth/describe-account'
import { listEvents } from '@/lib/auth/events'
import { findSession } from '@/lib/auth/sessions'
import { readToken } from '@/lib/auth/tokens'
import { settings } from '@/lib/settings/settings'
import { callBackend } from './remote-backend/call'
import { readRequestContext, readSession } from './request-context'

/** What is left of a type after a trip through JSON. */
type Serialized<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Serialized<T[K]> } : T

type Account = Serialized<ReturnType<typeof describeAccount>>

/** Something that happened to an account, as `/api/i/events` tells it. */
export type AccountEvent = Serialized<Awaited<ReturnType<typeof listEvents>>>['events'][number]

/** The signed-in account as `/api/i` tells it, or null. This, not the proxy, is what guards a page. */
export async function currentAccount(headers: Headers): Promise<Account | null> {
  const { backendUrl } = settings()
  const token = readSession(headers)
  if (backendUrl) return fetchRemoteAccount(headers, token, backendUrl)
  const session = await findSession(token)
  if (!session) return null
  // The same JSON that the endpoint answers, so that pages and other clients see one shape.
  return JSON.parse(JSON.stringify(describeAccount(session)))
}

/** The newest events of the signed-in account, newest first; none without a session. */
export async function recentEvents(headers: Headers): Promise<AccountEvent[]> {
  const { backendUrl } = settings()
  if (backendUrl)
    return (await fetchRemote<{ events: AccountEvent[] }>(headers, '/api/i/events', backendUrl))?.events ?? []
  const { events } = await listEvents(await readRequestContext(headers)).catch((error: unknown) => {
    // The session may end between two looks at it: the page is then as empty as it can be.
    if (isApiError(error) && error.code === 'not_signed_in') return { events: [] }
    throw error
  })
  return JSON.parse(JSON.stringify(events))
}

/** On a front end deployed apart, whose account it is. */
async function fetchRemoteAccount(headers: Headers, token: string | null, backendUrl: string): Promise<Account | null> {
  // What our own proxy refuses is no session here, whatever the backend says: else two pages would send each other the person forever.
  if (token === null || !(await readToken('session', token))) return null
  return fetchRemote(headers, '/api/i', backendUrl)
}

/**
 * What the backend answers to the person whose page this is; null if it knows no session.
 *
 * @throws ApiError unavailable: nobody is told that they are signed out because the backend is away
 */
async function fetchRemote<T>(headers: Headers, path: string, backendUrl: string): Promise<T | null> {
  // Of the headers of a page nothing else may go along: a link from another site opens it with `Sec-Fetch-Site: cross-site`.
  const sent = new Headers([...headers].filter(([name]) => name === 'cookie' || name === 'authorization'))
  const response = await callBackend(new URL(path, backendUrl), 'POST', sent)
  if (response.status === 401) return null
  if (!response.ok) throw new ApiError('unavailable', { cause: `the backend answered ${response.status}` })
  return response.json()
}

/** What pages say of the site. */
export function siteInfo() {
  const { appName, origins, originConfigured } = settings()
  return { appName, origins: [...origins], originConfigured }
}

/**
 * Where to go on to: a path of our own, else the profile. A link to our sign-in page must not lead to another site after it
 * (CWE-601): `//host`, `/\host` and the like are other sites to a browser.
 */
export function safeRedirect(next: string | string[] | undefined): string {
  const base = 'http://here.invalid'
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, base)) return '/profile'
  const url = new URL(next, base)
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/profile'
}
