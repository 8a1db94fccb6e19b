import type { PostBody, PostResult } from '@/lib/api/endpoints'
import { isApiError } from '@/lib/api/errors'
import { authorizationPath } from '@/lib/api/names'
import type { Account, AppRequest, DeviceRequest, SignOutRequest } from '@/lib/api/schemas'
import { withNext } from '@/lib/api/urls'
import { rootOf } from '@/lib/auth/tokens/claims'
import { readToken } from '@/lib/auth/tokens/tokens'
import { logoutPath } from '@/lib/openid/logout'
import {
  interactionOfPath,
  isAuthenticatedSince,
  pathWithNewInteraction,
  readRequest,
} from '@/lib/openid/requests/interaction'
import { settings } from '@/lib/settings/settings'
import { afterSignIn, appHost, destinationFrom, type Next, safeNext, viaAccessCookie } from '../request/redirects'
import { currentAccount, load, sessionClaims } from './load'

export const loadAppRequest = (headers: Headers, token: string): Promise<RequestToConfirm<AppRequest> | null> =>
  loadRequestToConfirm(headers, '/api/oauth/request', { request: token })

/** A device's request, by the code that it shows; or why there is none. */
export const loadDeviceRequest = (
  headers: Headers,
  userCode: string,
): Promise<DeviceRequest | 'not_found' | 'too_many_attempts'> =>
  load(headers, '/api/oauth/device/request', { userCode }).then(
    (request) => request ?? 'not_found',
    (error: unknown) => {
      if (isApiError(error) && (error.code === 'not_found' || error.code === 'too_many_attempts')) return error.code
      throw error
    },
  )

/** Restarts another session's request; null for this session's, or none. */
export async function restartAuthorizationPath(headers: Headers, token: string): Promise<string | null> {
  const request = await readToken('app-request', token)
  return request && request.sid !== (await rootOfSession(headers)) ? `${authorizationPath}?${request.query}` : null
}

/** Starts the same request for another account, which has to show a new credential. */
export async function switchAccountPath(
  headers: Headers,
  token: string,
  { app: { name, icon }, document, obstacle }: AppRequest,
): Promise<string> {
  const request = await readToken('app-request', token)
  const claims = await sessionClaims(headers)
  const received = await readRequest(new URLSearchParams(request?.query))
  const session = claims && { claims }
  const requirePasskey = obstacle === 'passkey_required'
  const app = { name, icon: icon ?? null, document: document ?? null, requirePasskey }
  const authentication = { app, session, fresh: true, loginHint: null }
  return pathWithNewInteraction(received, authentication)
}

export const loadSignOutRequest = (headers: Headers, token: string): Promise<RequestToConfirm<SignOutRequest> | null> =>
  loadRequestToConfirm(headers, '/api/oauth/logout/request', { request: token })

/**
 * Restarts the logout for another session's token, without a token, or when nobody is signed in. Null for this session's
 * token, and for one that does not verify.
 */
export async function restartLogoutPath(headers: Headers, token: string): Promise<string | null> {
  const request = token === '' ? null : await readToken('sign-out-request', token)
  const root = await rootOfSession(headers)
  if (!request) return root !== null && token !== '' ? null : logoutPath
  return request.sid !== root ? `${logoutPath}?${request.query}` : null
}

/** An app's request for a page to show, and the account that the page is for. */
interface RequestToConfirm<R> {
  account: Account
  request: R
}

/** Null without a session, or if the request is another session's, has expired or has its answer. */
async function loadRequestToConfirm<P extends '/api/oauth/request' | '/api/oauth/logout/request'>(
  headers: Headers,
  path: P,
  body: PostBody<P>,
): Promise<RequestToConfirm<PostResult<P>> | null> {
  const request = await load(headers, path, body).catch((error: unknown) => {
    if (isApiError(error) && error.code === 'invalid_request') return null
    throw error
  })
  const account = request && (await currentAccount(headers))
  return account && { account, request }
}

/** The root of the session; null without one, and for a revoked one, which its token alone does not show. */
async function rootOfSession(headers: Headers): Promise<string | null> {
  const claims = await sessionClaims(headers)
  return claims && (await currentAccount(headers)) && rootOf(claims)
}

export interface RequestedSignIn {
  /** The app; null for a client that introduced itself, which has no picture */
  app: { name: string; icon: string | null } | null
  hint: string | null
  /** True if the app takes a passkey only */
  needsPasskey: boolean
  /** True if even a signed-in person has to show a credential */
  needsCredential: boolean
}

/** What the authorization request at `next` requires of the sign-in; null for any other path. Needs no database. */
export async function requestedSignIn(headers: Headers, next: string): Promise<RequestedSignIn | null> {
  const interaction = await interactionOfPath(next)
  if (!interaction) return null
  const { app, icon, hint = null, fresh = false, passkey: needsPasskey = false } = interaction
  const claims = await sessionClaims(headers)
  const isAuthenticated = claims !== null && isAuthenticatedSince(interaction, { claims })
  return {
    app: icon === undefined ? null : { name: app, icon },
    hint,
    needsPasskey,
    needsCredential: fresh && !isAuthenticated,
  }
}

interface Destination {
  href: string
  /** The name or host of the app there; null for a page of this site */
  app: string | null
}

/** Where a page leads that stands between a sign-in or sign-up and `next`. */
export async function loadDestination(page: string, next: Next): Promise<Destination> {
  const destination = destinationFrom(page, next)
  const { homeUrl, appName } = settings()
  const app = destination === homeUrl ? appName : await appAt(destination)
  return { href: viaAccessCookie(destination), app }
}

/** The app that sent a person to the sign-in or sign-up page. */
export const sendingApp = (next: Next): Promise<string | null> => appAt(safeNext(next))

const appAt = async (path: string) => (await interactionOfPath(path))?.app ?? appHost(path)

/** The page's path, with `next` unless it is missing or repeated. */
export const carryNext = (page: string, next: Next): string => (typeof next === 'string' ? withNext(page, next) : page)

/** The link between /signin and /signup. Leaves out `next` if a sign-in leads there anyway. */
export function switchPath(page: string, next: Next): string {
  const destination = afterSignIn(next)
  return destination === afterSignIn(undefined) ? page : withNext(page, destination)
}
