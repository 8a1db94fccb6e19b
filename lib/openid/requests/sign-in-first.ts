import type { Session } from '@/lib/auth/sessions/sessions'
import { amrOf, isByPasskey } from '../grants/methods'
import { readSigned } from '../tokens/signed-tokens'
import type { Attempt, Outcome } from './attempt'
import { AuthorizationError } from './authorization-error'
import type { AuthorizationRequest } from './parameters'
import { isShownSince, pathWithStart } from './start'

/** `prompt=none` answers for the person that the app means, or for nobody. */
export async function requireHinted({ prompts, idTokenHint }: AuthorizationRequest, { user }: Session): Promise<void> {
  if (!prompts.has('none') || idTokenHint === null) return
  const hinted = await readSigned('JWT', idTokenHint, { expired: true })
  if (hinted?.sub !== user.id) throw new AuthorizationError('login_required', 'Another account is signed in.')
}

/** Whether the sign-in page is shown, to a signed-in person as well. */
export function needsCredential({ request, carried }: Attempt, session: Session): boolean {
  if (isShownSince(carried.start, session)) return false
  const { prompts, maxAge, prefersPasskey } = request
  if (asksForCredential(request)) return true
  const { auth_time, iat } = session.claims
  if (maxAge !== null && (auth_time ?? iat) + maxAge < Date.now() / 1000) return true
  // Voluntary: asked for once, where there is a passkey to show.
  const canShow = session.passkeys.length > 0 && !isByPasskey(amrOf(session.claims))
  return prefersPasskey && canShow && carried.start === null && !prompts.has('none')
}

/** Leads to the sign-in page, or to the sign-up page, which lead back. @throws AuthorizationError for `prompt=none` */
export async function signInFirst(attempt: Attempt): Promise<Outcome> {
  const { app, request, carried, session } = attempt
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
