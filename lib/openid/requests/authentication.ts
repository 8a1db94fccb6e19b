import type { Session } from '@/lib/auth/sessions/find-session'
import { methodReferences } from '@/lib/auth/tokens/method-references'
import { isByPasskey } from '../grants/methods'
import { readSigned } from '../tokens/signed-tokens'
import { AuthorizationError } from './authorization-error'
import type { AuthorizationRequest } from './parameters'
import type { NextStep, PendingRequest } from './pending-request'
import { isShownSince, pathWithStart } from './start'

/**
 * Whether the app means another account: an answer for anybody else would pass one person off as another (OpenID Connect
 * Core section 3.1.2.2). A hint that is no ID token of ours names nobody.
 *
 * @throws AuthorizationError login_required if its person cannot, or would not, sign in to that account
 */
export async function hintNamesAnother({ request, carried }: PendingRequest, session: Session): Promise<boolean> {
  const { prompts, idTokenHint } = request
  if (idTokenHint === null) return false
  const hinted = await readSigned('JWT', idTokenHint, { expired: true })
  const isSame = hinted === null ? !prompts.has('none') : hinted.sub === session.user.id
  if (!isSame && (prompts.has('none') || isShownSince(carried.start, session)))
    throw new AuthorizationError('login_required', 'Another account is signed in.')
  return !isSame
}

export function needsCredential({ request, carried }: PendingRequest, session: Session): boolean {
  if (isShownSince(carried.start, session)) return false
  const { prompts, maxAge, prefersPasskey } = request
  if (asksForCredential(request)) return true
  const { auth_time, iat } = session.claims
  if (maxAge !== null && (auth_time ?? iat) + maxAge < Date.now() / 1000) return true
  // Voluntary: asked for once, where there is a passkey to show.
  const canShow = session.passkeys.length > 0 && !isByPasskey(methodReferences(session.claims))
  return prefersPasskey && canShow && carried.start === null && !prompts.has('none')
}

/** Leads to the sign-in page, or to the sign-up page, which lead back. @throws AuthorizationError for `prompt=none` */
export async function signInFirst(pending: PendingRequest): Promise<NextStep> {
  const { app, request, carried, session } = pending
  if (request.prompts.has('none'))
    throw new AuthorizationError('login_required', 'Nobody is signed in, or not recently enough.')
  const next = await pathWithStart(carried, {
    app: app.name,
    session,
    fresh: session !== null || asksForCredential(request),
    hint: request.loginHint,
  })
  const page = request.prompts.has('create') ? '/signup' : '/signin'
  return { kind: 'page', path: `${page}?${new URLSearchParams({ next })}`, uiLocales: request.uiLocales }
}

const asksForCredential = ({ prompts }: AuthorizationRequest) => prompts.has('login') || prompts.has('select_account')
