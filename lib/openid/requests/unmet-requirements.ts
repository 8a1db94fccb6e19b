import type { Session } from '@/lib/auth/sessions/find-session'
import { rootOf } from '@/lib/auth/tokens/claims'
import { methodReferences } from '@/lib/auth/tokens/method-references'
import { issueToken } from '@/lib/auth/tokens/tokens'
import { isOnDevice } from '../apps/redirect-uris'
import { exclusionOf } from '../grants/exclusion'
import { grantedScopes } from '../grants/grants'
import { personOf } from '../grants/person'
import { AuthorizationError } from './authorization-error'
import type { NextStep, PendingRequest } from './pending-request'
import { type CarriedRequest, pathWithStart } from './start'

/** Long enough to read the page, shorter than the start of the request. */
const consentSeconds = 1800

export type Obstacle = 'not_a_member' | 'passkey_required' | 'consent'

const denials = {
  not_a_member: ['access_denied', 'The account is in none of the groups that this app is for.'],
  passkey_required: ['unmet_authentication_requirements', 'The app requires a passkey.'],
  consent: ['access_denied', 'The person has not allowed it.'],
} as const

export async function obstacleOf(pending: PendingRequest, session: Session): Promise<Obstacle | null> {
  const exclusion = exclusionOf(pending.app, personOf(session.user), methodReferences(session.claims))
  return exclusion ?? ((await needsConsent(pending, session)) ? 'consent' : null)
}

async function needsConsent(
  { app, redirectUri, request, carried }: PendingRequest,
  session: Session,
): Promise<boolean> {
  const answer = ownAnswer(carried, session)
  if (answer?.allow === false) return true
  // Any program of a device may pretend to be this app (RFC 8252 section 8.6).
  const asksEachTime = (app.public && isOnDevice(redirectUri)) || request.prompts.has('consent')
  if (asksEachTime && !answer) return true
  if (app.trusted) return false
  // An answer alone gives nothing: its grant may have been taken away since.
  const granted = await grantedScopes(session.user.id, app.id)
  return request.scopes.some((scope) => !granted.includes(scope))
}

/** What this session has said; another's answer says nothing. */
const ownAnswer = ({ answer }: CarriedRequest, { claims }: Session) => (answer?.sid === rootOf(claims) ? answer : null)

/** Shows the page that says what stands between, unless its person has declined or the app wants no page. */
export async function showObstacle(pending: PendingRequest, session: Session, obstacle: Obstacle): Promise<NextStep> {
  const { request, carried } = pending
  const [code, description] = denials[obstacle]
  if (ownAnswer(carried, session)?.allow === false) throw new AuthorizationError(code, description)
  if (request.prompts.has('none'))
    throw new AuthorizationError(obstacle === 'consent' ? 'consent_required' : code, description)
  const path = await pathOfRequest(pending, session)
  return { kind: 'page', path, uiLocales: request.uiLocales }
}

async function pathOfRequest({ carried, app, request }: PendingRequest, session: Session): Promise<string> {
  // With its start, so that a credential that was shown for it still counts.
  const path = carried.start
    ? await pathWithStart(carried, { app: app.name, session, fresh: false, hint: request.loginHint })
    : `?${carried.query}`
  const query = path.slice(path.indexOf('?') + 1)
  const { token } = await issueToken('app-request', { sid: rootOf(session.claims), query }, consentSeconds)
  return `/consent?${new URLSearchParams({ request: token })}`
}
