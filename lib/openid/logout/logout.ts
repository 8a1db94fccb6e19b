import type { signOutRequestInput } from '@/lib/api/schemas'
import { recordEvent } from '@/lib/auth/audit/events'
import { logSecurityEvent } from '@/lib/auth/audit/security-log'
import type { Parsed, RequestContext } from '@/lib/auth/model/request-context'
import { findSession, type Session } from '@/lib/auth/sessions/find-session'
import { revokeSession } from '@/lib/auth/sessions/revocation/sign-out'
import { rootOf } from '@/lib/auth/tokens/claims'
import { issueToken } from '@/lib/auth/tokens/tokens'
import type { App } from '../apps/app'
import { refuse } from '../apps/refusals'
import { splitSpaced } from '../apps/space-separated'
import { requireOwnRequest } from '../require-own-request'
import { publicSessionId } from '../tokens/public-session-id'
import { readLogoutRequest, withoutHint } from './logout-request'

export const logoutPath = '/api/oauth/logout'

const confirmationSeconds = 1800

/** Where the browser goes on: to the confirmation page, or signed out to `returnTo`; with null it stays here. */
type LogoutOutcome =
  | { kind: 'confirmation'; path: string; uiLocales: string[] }
  | { kind: 'signed_out'; ended: boolean; returnTo: string | null }

/**
 * OpenID Connect RP-Initiated Logout 1.0. Any site can link here: only the session's own ID token needs no confirmation, and
 * not even that with a URI that is not registered, which would leave the person here without a word (section 3).
 */
export async function logout(query: URLSearchParams, context: RequestContext): Promise<LogoutOutcome> {
  const request = await readLogoutRequest(query)
  const session = await findSession(context.session)
  const { app, hint, returnTo, unregistered } = request
  if (app && unregistered !== null)
    await refuse(context, { app, reason: 'sign_out_uri_not_registered', uri: unregistered })
  if (!session) return { kind: 'signed_out', ended: false, returnTo }
  const isTheirs = hint === null || hint.account === session.user.id
  if (app && hint && isTheirs && unregistered === null && hint.sid === publicSessionId(rootOf(session.claims))) {
    await endForApp(session, app, context)
    return { kind: 'signed_out', ended: true, returnTo }
  }
  const pending = { sid: rootOf(session.claims), query: withoutHint(query, { app, mayReturn: isTheirs }) }
  const { token } = await issueToken('sign-out-request', pending, confirmationSeconds)
  const path = `/signout?${new URLSearchParams({ request: token })}`
  return { kind: 'confirmation', path, uiLocales: splitSpaced(query.get('ui_locales') ?? '') }
}

type Confirmation = Parsed<typeof signOutRequestInput> & { session: Session }

/** What the confirmation page `/signout` shows. */
export async function describeLogout({ body, session }: Pick<Confirmation, 'body' | 'session'>) {
  const { app, unregistered } = await readOwn(body.request, session)
  return { app: app && { name: app.name }, ...(unregistered !== null && { unregistered: true as const }) }
}

/** @returns where the browser goes on; null to stay here */
export async function confirmLogout({ body, session, context }: Confirmation): Promise<string | null> {
  const { app, returnTo } = await readOwn(body.request, session)
  await endForApp(session, app, context)
  return returnTo
}

async function readOwn(token: string, session: Session) {
  const { query } = await requireOwnRequest('sign-out-request', token, session)
  return readLogoutRequest(new URLSearchParams(query))
}

/** Like the owner's own sign-out: refresh tokens stay. */
async function endForApp({ user, claims }: Session, app: App | null, context: RequestContext): Promise<void> {
  if (!(await revokeSession(claims))) return
  if (app) await recordEvent(user.id, 'signed_out_by_app', context, { app })
  else logSecurityEvent('signed_out', context, { account: user.id })
}
