import { isApiError } from '@/lib/api/errors'
import type { Account, AppRequest, SignOutRequest } from '@/lib/api/schemas'
import { describeAccount } from '@/lib/auth/account/describe-account'
import type { Session } from '@/lib/auth/sessions/find-session'
import { rootOf } from '@/lib/auth/tokens/claims'
import { readToken } from '@/lib/auth/tokens/tokens'
import { describeLogout, logoutPath } from '@/lib/openid/logout/logout'
import { describeRequest } from '@/lib/openid/requests/consent'
import {
  authorizationPath,
  interactionOfPath,
  isAuthenticatedSince,
  pathWithNewInteraction,
  readProgress,
} from '@/lib/openid/requests/interaction'
import { settings } from '@/lib/settings/settings'
import { fetchRemote } from '../remote-backend/fetch-remote'
import { currentAccount, currentSession, sessionClaims } from './current-account'

interface RequestedSignIn {
  app: string
  hint: string | null
  /** Also of somebody who is signed in */
  needsCredential: boolean
}

/** What the authorization request at `next` requires of the sign-in; null for any other path. Reads no database. */
export async function requestedSignIn(headers: Headers, next: string): Promise<RequestedSignIn | null> {
  const interaction = await interactionOfPath(next)
  if (!interaction) return null
  const { app, hint = null, fresh = false } = interaction
  const claims = await sessionClaims(headers)
  const isAuthenticated = claims !== null && isAuthenticatedSince(interaction, { claims })
  return { app, hint, needsCredential: fresh && !isAuthenticated }
}

interface ForAccount<R> {
  account: Account
  request: R
}

/** Null without a session, or if the request is another session's, has expired or was consumed. */
export const loadAppRequest = (headers: Headers, token: string): Promise<ForAccount<AppRequest> | null> =>
  forAccount(
    headers,
    (backendUrl) => fetchRemote(backendUrl, { path: '/api/oauth/request', headers, body: { request: token } }),
    (session) => describeRequest({ body: { request: token }, session }),
  )

/** For the page `/signout`; null as above. */
export const loadSignOutRequest = (headers: Headers, token: string): Promise<ForAccount<SignOutRequest> | null> =>
  forAccount(
    headers,
    (backendUrl) => fetchRemote(backendUrl, { path: '/api/oauth/logout/request', headers, body: { request: token } }),
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

/** Restarts another session's request; null for this session's, or none. */
export async function restartAuthorizationPath(headers: Headers, token: string): Promise<string | null> {
  const request = await readToken('app-request', token)
  return request && request.sid !== (await rootOfSession(headers)) ? `${authorizationPath}?${request.query}` : null
}

/** Null without a session, and for one that was revoked, which its token alone does not show. */
async function rootOfSession(headers: Headers): Promise<string | null> {
  const claims = await sessionClaims(headers)
  return claims && (await currentAccount(headers)) && rootOf(claims)
}

/** The same request for another account, which takes a new credential. */
export async function switchAccountPath(headers: Headers, token: string, app: string): Promise<string> {
  const request = await readToken('app-request', token)
  const claims = await sessionClaims(headers)
  const progress = await readProgress(new URLSearchParams(request?.query))
  const authentication = { appName: app, session: claims && { claims }, fresh: true, loginHint: null }
  return pathWithNewInteraction(progress, authentication)
}

/** Restarts another session's logout, or starts one without a token; null if the token is this session's. */
export async function restartLogoutPath(headers: Headers, token: string): Promise<string | null> {
  const request = token === '' ? null : await readToken('sign-out-request', token)
  const root = await rootOfSession(headers)
  if (!request) return root !== null && token !== '' ? null : logoutPath
  return request.sid !== root ? `${logoutPath}?${request.query}` : null
}
