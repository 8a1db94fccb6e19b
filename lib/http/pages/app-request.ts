import { isApiError } from '@/lib/api/errors'
import type { Account, AllowedApp, AppRequest, SignOutRequest } from '@/lib/api/schemas'
import { findSession } from '@/lib/auth/sessions/find-session'
import { rootOf } from '@/lib/auth/tokens/claims'
import { readSessionToken } from '@/lib/auth/tokens/session-token'
import { readToken } from '@/lib/auth/tokens/tokens'
import { appsOf } from '@/lib/openid/grants/list-apps'
import { describeLogout, logoutPath } from '@/lib/openid/logout/logout'
import { describeRequest } from '@/lib/openid/requests/consent'
import { authorizationPath, isShownSince, pathWithStart, readCarried, startOfPath } from '@/lib/openid/requests/start'
import { settings } from '@/lib/settings/settings'
import { readRequestContext, sessionTokenOf } from '../calls/request-context'
import { fetchRemote } from './page-data'

export interface CarriedSignIn {
  app: string
  hint: string | null
  /** Whether a signed-in person, too, has to show a credential */
  needsCredential: boolean
}

/** What the path that a sign-in leads to says of an app's request; null if it leads elsewhere. Reads no database. */
export async function carriedSignIn(headers: Headers, next: string): Promise<CarriedSignIn | null> {
  const start = await startOfPath(next)
  if (!start) return null
  const claims = await readSessionToken(sessionTokenOf(headers) ?? '')
  const isShown = claims !== null && isShownSince(start, { claims })
  return { app: start.app, hint: start.hint ?? null, needsCredential: start.fresh === true && !isShown }
}

/** What the consent page shows; null if the request is another session's, has expired or was answered. */
export async function appRequest(headers: Headers, token: string): Promise<AppRequest | null> {
  const { backendUrl } = settings()
  if (backendUrl) return fetchRemote(headers, '/api/oauth/request', backendUrl, { request: token })
  const session = await findSession(sessionTokenOf(headers))
  if (!session) return null
  const context = await readRequestContext(headers)
  return describeRequest({ body: { request: token }, session, context }).catch(nullIfInvalid)
}

function nullIfInvalid(error: unknown): null {
  if (isApiError(error) && error.code === 'invalid_request') return null
  throw error
}

/** Where another session's request begins anew; null if it is this session's, or none. */
export async function pathOfOthersRequest(headers: Headers, token: string): Promise<string | null> {
  const request = await readToken('app-request', token)
  const session = await readSessionToken(sessionTokenOf(headers) ?? '')
  return request && request.sid !== (session && rootOf(session)) ? `${authorizationPath}?${request.query}` : null
}

/** Where somebody else's sign-in leads to: this session's request, which only a credential shown from now on will do for. */
export async function pathForAnother(headers: Headers, token: string, app: string): Promise<string> {
  const request = await readToken('app-request', token)
  const claims = await readSessionToken(sessionTokenOf(headers) ?? '')
  const carried = await readCarried(new URLSearchParams(request?.query))
  return pathWithStart({ ...carried, start: null }, { app, session: claims && { claims }, fresh: true, hint: null })
}

/** What the page `/signout` shows; null if the request is another session's or has expired. */
export async function signOutRequest(headers: Headers, token: string): Promise<SignOutRequest | null> {
  const { backendUrl } = settings()
  if (backendUrl) return fetchRemote(headers, '/api/oauth/logout/request', backendUrl, { request: token })
  const session = await findSession(sessionTokenOf(headers))
  return session && describeLogout({ body: { request: token }, session }).catch(nullIfInvalid)
}

/** Where another session's logout begins anew, or one that nobody has asked for yet; null if it is this session's. */
export async function pathOfOthersLogout(headers: Headers, token: string): Promise<string | null> {
  const request = token === '' ? null : await readToken('sign-out-request', token)
  const session = await readSessionToken(sessionTokenOf(headers) ?? '')
  if (!request) return session && token !== '' ? null : logoutPath
  return request.sid !== (session && rootOf(session)) ? `${logoutPath}?${request.query}` : null
}

/** The apps that the account of these headers has let in. */
export async function allowedApps(headers: Headers, { id }: Account): Promise<AllowedApp[]> {
  const { backendUrl } = settings()
  if (backendUrl) return (await fetchRemote(headers, '/api/i/apps', backendUrl))?.apps ?? []
  return appsOf(id)
}
