import type { RequestContext } from '@/lib/auth/request'
import type { Session } from '@/lib/auth/sessions/find'
import { methodReferences, rootOf } from '@/lib/auth/tokens/claims'
import { issueToken } from '@/lib/auth/tokens/tokens'
import { isOnDevice } from '../apps/redirect-uris'
import { refuse } from '../apps/refusals'
import { grantedScopes, obstacleOfRules } from '../grants/grants'
import {
  type AuthorizationOutcome,
  queryWithInteraction,
  type RequestProgress,
  type SignedInRequest,
} from './interaction'
import { AuthorizationError } from './parameters'

/** Long enough to read the page, shorter than an interaction. */
const consentSeconds = 1800

/** What keeps a signed-in person from an app. */
type Obstacle = 'not_a_member' | 'passkey_required' | 'consent'

const obstacleErrors = {
  not_a_member: {
    code: 'access_denied',
    description: 'The account is in none of the groups that this app is for.',
    reason: 'group',
  },
  passkey_required: {
    code: 'unmet_authentication_requirements',
    description: 'The app requires a passkey.',
    reason: 'passkey',
  },
  consent: { code: 'access_denied', description: 'The person has not allowed it.', reason: 'access_denied' },
} as const

export async function obstacleOf(pending: SignedInRequest): Promise<Obstacle | null> {
  const { app, session } = pending
  const ofRules = obstacleOfRules(app, session.user, methodReferences(session.claims))
  return ofRules ?? ((await needsConsent(pending)) ? 'consent' : null)
}

async function needsConsent({ app, redirectUri, request, progress, session }: SignedInRequest): Promise<boolean> {
  const decision = ownDecision(progress, session)
  if (decision?.allow === false) return true
  // Any program on the device can impersonate this app (RFC 8252 section 8.6).
  const needsConsentEachTime = (app.public && isOnDevice(redirectUri)) || request.prompts.has('consent')
  if (needsConsentEachTime && !decision) return true
  if (app.trusted) return false
  // A decision alone gives nothing: its grant may have been removed since.
  const granted = await grantedScopes(session.user.id, app.id)
  return request.scopes.some((scope) => !granted.includes(scope))
}

/** Another session's decision does not count. */
const ownDecision = ({ decision }: RequestProgress, { claims }: Session) =>
  decision?.sid === rootOf(claims) ? decision : null

/** Leads to the consent page. @throws AuthorizationError if the person has declined, or for `prompt=none` */
export async function resolveObstacle(
  pending: SignedInRequest,
  obstacle: Obstacle,
  context: RequestContext,
): Promise<AuthorizationOutcome> {
  const { app, request, progress, session } = pending
  const { code, description, reason } = obstacleErrors[obstacle]
  // Whom a rule stops was counted when the page was shown, since most people just leave it.
  if (ownDecision(progress, session)?.allow === false)
    throw new AuthorizationError(code, description, obstacle === 'consent' ? reason : null)
  if (request.prompts.has('none'))
    throw obstacle === 'consent'
      ? new AuthorizationError('consent_required', description)
      : new AuthorizationError(code, description, reason)
  if (obstacle !== 'consent') await refuse(context, { app, reason })
  const path = await consentPath(pending)
  return { kind: 'page', path, uiLocales: request.uiLocales }
}

async function consentPath({ progress, session }: SignedInRequest): Promise<string> {
  const query = (await queryWithInteraction(progress)).toString()
  const { token } = await issueToken('app-request', { sid: rootOf(session.claims), query }, consentSeconds)
  return `/consent?${new URLSearchParams({ request: token })}`
}
