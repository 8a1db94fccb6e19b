import { isApiError } from '@/lib/api/errors'
import { logSecurityEvent } from '@/lib/auth/audit/security-log'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { findSession, type Session } from '@/lib/auth/sessions/find-session'
import { findApp } from '../apps/app'
import { issueCode } from '../grants/codes'
import { grantedScopes, saveGrant } from '../grants/grants'
import { AuthorizationError } from './authorization-error'
import { findRedirect } from './find-redirect'
import { obstacleOf, showObstacle } from './obstacles'
import { parseRequest } from './parameters'
import type { NextStep, PendingRequest } from './pending-request'
import { hintNamesAnother, needsCredential, signInFirst } from './sign-in-first'
import { readCarried } from './start'

/** The authorization endpoint (OpenID Connect Core section 3.1.2), on every pass: it trusts no earlier one. */
export async function authorize(given: URLSearchParams, context: RequestContext): Promise<NextStep> {
  const carried = await readCarried(given)
  const { query } = carried
  const redirect = await findRedirect(query)
  if (typeof redirect === 'string') return { kind: redirect }
  const { app, redirectUri } = redirect
  const answer = (parameters: Record<string, string>): NextStep => ({
    kind: 'answer',
    redirectUri,
    mode: query.get('response_mode') === 'form_post' ? 'form_post' : 'query',
    parameters: { ...parameters, ...(query.getAll('state').length === 1 && { state: query.get('state') ?? '' }) },
  })
  try {
    const request = parseRequest(query, app, redirectUri)
    const session = await findSession(context.session)
    const next = await nextStep({ app, redirectUri, request, carried, session, context })
    return typeof next === 'string' ? answer({ code: next }) : next
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error
    return answer({ error: error.code, error_description: error.message })
  }
}

/** @returns the code, or where its person has something to do first */
async function nextStep(pending: PendingRequest): Promise<string | NextStep> {
  const { app, redirectUri, request, session, context } = pending
  if (!session || (await hintNamesAnother(pending, session))) return signInFirst(pending)
  if (needsCredential(pending, session)) return signInFirst(pending)
  const obstacle = await obstacleOf(pending, session)
  if (obstacle) return showObstacle(pending, session, obstacle)
  const isGranted = !app.trusted || (await grantTrusted(pending, session))
  const { challenge, nonce, scopes } = request
  const code = isGranted && (await issueCode(session, { app, redirectUri, challenge, nonce, scopes }))
  if (!code && !(await findApp(app.id))) return { kind: 'unknown_app' }
  // The session has ended meanwhile, has had too many codes, or access was taken away: it begins anew, with a credential.
  if (!code) return signInFirst({ ...pending, carried: { ...pending.carried, start: null } })
  logSecurityEvent('signed_in_to_app', context, { account: session.user.id, app: app.id })
  return code
}

/** The operator's word stands for the person's. @returns false if the session has ended or the app was deleted meanwhile */
async function grantTrusted({ app, request, context }: PendingRequest, session: Session): Promise<boolean> {
  const granted = await grantedScopes(session.user.id, app.id)
  if (request.scopes.every((scope) => granted.includes(scope))) return true
  try {
    return await saveGrant(session, app, request.scopes, context)
  } catch (error) {
    if (isApiError(error) && error.code === 'not_signed_in') return false
    throw error
  }
}
