import { isApiError } from '@/lib/api/errors'
import type { Account, AppRequest, SignOutRequest } from '@/lib/api/schemas'
import { describeAccount } from '@/lib/auth/account/describe-account'
import type { Session } from '@/lib/auth/sessions/find-session'
import { rootOf } from '@/lib/auth/tokens/claims'
import { readToken } from '@/lib/auth/tokens/tokens'
import { describeLogout, logoutPath } from '@/lib/openid/logout/logout'
import { describeRequest } from '@/lib/openid/requests/consent'
import { authorizationPath, isShownSince, pathWithStart, readCarried, startOfPath } from '@/lib/openid/requests/start'
import { settings } from '@/lib/settings/settings'
import { readRequestContext } from '../context/request-context'
import { fetchRemote } from '../remote-backend/fetch-remote'
import { currentAccount, currentSession, sessionClaims } from './current-account'

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
  const claims = await sessionClaims(headers)
  const isShown = claims !== null && isShownSince(start, { claims })
  return { app: start.app, hint: start.hint ?? null, needsCredential: start.fresh === true && !isShown }
}

/** An app's request, and the signed-in account that it is for. */
interface ForAccount<R> {
  account: Account
  request: R
}

/** What the consent page shows; null without a session, or if the request is another's, has expired or was answered. */
export const appRequest = (headers: Headers, token: string): Promise<ForAccount<AppRequest> | null> =>
  forAccount(
    headers,
    (backendUrl) => fetchRemote(headers, '/api/oauth/request', backendUrl, { request: token }),
    async (session) =>
      describeRequest({ body: { request: token }, session, context: await readRequestContext(headers) }),
  )

/** What the page `/signout` shows; null without a session, or if the request is another's or has expired. */
export const signOutRequest = (headers: Headers, token: string): Promise<ForAccount<SignOutRequest> | null> =>
  forAccount(
    headers,
    (backendUrl) => fetchRemote(headers, '/api/oauth/logout/request', backendUrl, { request: token }),
    (session) => describeLogout({ body: { request: token }, session }),
  )

async function forAccount<R>(
  headers: Headers,
  fromBackend: (backendUrl: string) => Promise<R | null>,
  describe: (session: Session) => Promise<R>,
): Promise<ForAccount<R> | null> {
  const { backendUrl } = settings()
  if (backendUrl) {
    const [account, request] = await Promise.all([currentAccount(headers), fromBackend(backendUrl)])
    return account && request && { account, request }
  }
  const session = await currentSession(headers)
  const request = session && (await describe(session).catch(nullIfInvalid))
  return request && { account: describeAccount(session), request }
}

function nullIfInvalid(error: unknown): null {
  if (isApiError(error) && error.code === 'invalid_request') return null
  throw error
}

/** Where another session's request begins anew; null if it is this session's, or none. */
export async function restartAuthorizationPath(headers: Headers, token: string): Promise<string | null> {
  const request = await readToken('app-request', token)
  const session = await sessionClaims(headers)
  return request && request.sid !== (session && rootOf(session)) ? `${authorizationPath}?${request.query}` : null
}

/** Where somebody else's sign-in leads to: this session's request, which only a credential shown from now on will do for. */
export async function switchAccountPath(headers: Headers, token: string, app: string): Promise<string> {
  const request = await readToken('app-request', token)
  const claims = await sessionClaims(headers)
  const carried = await readCarried(new URLSearchParams(request?.query))
  return pathWithStart({ ...carried, start: null }, { app, session: claims && { claims }, fresh: true, hint: null })
}

/** Where another session's logout begins anew, or one that nobody has asked for yet; null if it is this session's. */
export async function restartLogoutPath(headers: Headers, token: string): Promise<string | null> {
  const request = token === '' ? null : await readToken('sign-out-request', token)
  const session = await sessionClaims(headers)
  if (!request) return session && token !== '' ? null : logoutPath
  return request.sid !== (session && rootOf(session)) ? `${logoutPath}?${request.query}` : null
}
