import type { AppRequest } from '@/lib/api/schemas'
import { readToken } from '@/lib/auth/tokens/tokens'
import { describeRequest } from '@/lib/openid/requests/consent'
import {
  authorizationPath,
  interactionOfPath,
  isAuthenticatedSince,
  pathWithNewInteraction,
  readProgress,
} from '@/lib/openid/requests/interaction'
import { sessionClaims } from './current-account'
import { loadRequestToConfirm, type RequestToConfirm, rootOfSession } from './request-to-confirm'

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

export const loadAppRequest = (headers: Headers, token: string): Promise<RequestToConfirm<AppRequest> | null> =>
  loadRequestToConfirm({ path: '/api/oauth/request', headers, body: { request: token } }, (session) =>
    describeRequest({ body: { request: token }, session }),
  )

/** Restarts another session's request; null for this session's, or none. */
export async function restartAuthorizationPath(headers: Headers, token: string): Promise<string | null> {
  const request = await readToken('app-request', token)
  return request && request.sid !== (await rootOfSession(headers)) ? `${authorizationPath}?${request.query}` : null
}

/** The same request for another account, which takes a new credential. */
export async function switchAccountPath(headers: Headers, token: string, app: string): Promise<string> {
  const request = await readToken('app-request', token)
  const claims = await sessionClaims(headers)
  const progress = await readProgress(new URLSearchParams(request?.query))
  const authentication = { appName: app, session: claims && { claims }, fresh: true, loginHint: null }
  return pathWithNewInteraction(progress, authentication)
}
