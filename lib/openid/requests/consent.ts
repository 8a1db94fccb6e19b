import { ApiError } from '@/lib/api/errors'
import type { appRequestInput, consentInput } from '@/lib/api/schemas'
import type { Parsed, RequestContext } from '@/lib/auth/request'
import { obstacleOfRules } from '@/lib/auth/sessions/app-rules'
import type { Session } from '@/lib/auth/sessions/find'
import type { StepUp } from '@/lib/auth/sessions/step-up'
import { limitWrites } from '@/lib/auth/throttling/attempts'
import { type Claims, methodReferences, rootOf } from '@/lib/auth/tokens/claims'
import { consumeToken, isConsumed, issueToken, readToken } from '@/lib/auth/tokens/tokens'
import { findClient, introducedClient } from '../apps/find'
import { grantedScopes, includesOfflineAccess, limitClients, saveGrant } from '../apps/grants'
import { isOnDevice } from '../apps/redirect-uris'
import { refuse } from '../apps/refusals'
import { ownScopes, type RequestedApi } from '../apps/resources'
import {
  type AuthorizationOutcome,
  pathWithConsent,
  pathWithNewInteraction,
  queryWithInteraction,
  type ReceivedRequest,
  readRequest,
  type SignedInRequest,
} from './interaction'
import { AuthorizationError, parseParameters, redirectOf, soleValue } from './parameters'

/** The reason why a signed-in person cannot go on to the app: one of its rules, or that consent is missing. */
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

export async function obstacleOfRequest(request: SignedInRequest): Promise<Obstacle | null> {
  const { app, session } = request
  const ofRules = obstacleOfRules(app, session.user, methodReferences(session.claims))
  return ofRules ?? ((await needsConsent(request)) ? 'consent' : null)
}

async function needsConsent(request: SignedInRequest): Promise<boolean> {
  const { app, redirectUri, parameters, session } = request
  const consent = ownConsent(request, session)
  if (consent?.allow === false) return true
  // Any program on the device can impersonate this app (RFC 8252 section 8.6), and nobody vouches for one that introduced itself.
  const isUnknown = app.document !== null || (app.public && isOnDevice(redirectUri))
  const needsConsentEachTime = isUnknown || parameters.prompts.has('consent')
  if (needsConsentEachTime && !consent) return true
  if (app.trusted) return false
  // The token alone gives nothing: the person may have removed the grant since.
  const granted = await grantedScopes(session.user.id, app.id)
  return parameters.scopes.some((scope) => !granted.includes(scope))
}

/** Ignores another session's consent. */
const ownConsent = ({ consent }: ReceivedRequest, { claims }: Session) =>
  consent?.sid === rootOf(claims) ? consent : null

/** Leads to the consent page. @throws AuthorizationError if the person has declined, or for `prompt=none` */
export async function resolveObstacle(
  request: SignedInRequest,
  obstacle: Obstacle,
  context: RequestContext,
): Promise<AuthorizationOutcome> {
  const { app, parameters, session } = request
  const { code, description, reason } = obstacleErrors[obstacle]
  // We counted the refusal of a rule when we showed the page, since most people just leave the page.
  if (ownConsent(request, session)?.allow === false)
    throw new AuthorizationError(code, description, obstacle === 'consent' ? reason : null)
  if (parameters.prompts.has('none'))
    throw obstacle === 'consent'
      ? new AuthorizationError('consent_required', description)
      : new AuthorizationError(code, description, reason)
  if (obstacle !== 'consent') await refuse(context, { app, reason })
  const path = await consentPath(request)
  return { kind: 'page', path, uiLocales: parameters.uiLocales }
}

/** Long enough to read the page, shorter than an interaction. */
const appRequestSeconds = 1800

async function consentPath(request: SignedInRequest): Promise<string> {
  const query = (await queryWithInteraction(request)).toString()
  const claims = { sid: rootOf(request.session.claims), query }
  const { token } = await issueToken('app-request', claims, appRequestSeconds)
  return `/consent?${new URLSearchParams({ request: token })}`
}

/** Describes the request for the consent page. */
export async function describeRequest({
  body,
  session,
  context,
}: Pick<Parsed<typeof appRequestInput>, 'body' | 'context'> & { session: Session }) {
  const claims = await requireOwnRequest('app-request', body.request, session)
  if (await isConsumed(claims.jti)) throw invalidRequest()
  const request = await requestOf(claims, session, context)
  const { app, redirectUri, parameters } = request
  const { username, email, groups } = session.user
  const obstacle = await obstacleOfRequest(request)
  const authentication = { app, session, fresh: true, loginHint: username }
  return {
    app: { name: app.name, host: hostOf(redirectUri), ...(app.icon !== null && { icon: app.icon }) },
    ...(app.document && { document: { name: app.document.name, isOnDevice: isOnDevice(redirectUri) } }),
    scopes: ownScopes(parameters.scopes),
    ...(parameters.apis.length > 0 && { apis: parameters.apis.map(describeApi) }),
    email: parameters.scopes.includes('email') ? email : null,
    groups: parameters.scopes.includes('groups') ? groups : [],
    ...(obstacle === 'not_a_member' && { obstacle }),
    ...(obstacle === 'passkey_required' && {
      obstacle,
      next: await pathWithNewInteraction(request, authentication),
    }),
  }
}

/** In the words of the API's operator. */
export const describeApi = ({ api, scopes }: RequestedApi) => ({
  name: api.name,
  identifier: api.identifier,
  scopes: scopes.map((scope) => api.scopes[scope] ?? scope),
})

/** The host that the response goes to; of a custom scheme, the scheme. */
const hostOf = (uri: string) => (/^https?:/.test(uri) ? new URL(uri).host : uri.slice(0, uri.indexOf(':')))

type ConsentInput = Parsed<typeof consentInput> & { session: Session; stepUp: StepUp | null }

/** Records whether the person consents. `location` is the authorization endpoint, which checks everything anew. */
export async function recordConsent({ body, session, stepUp, context }: ConsentInput) {
  const { request: token, allow } = body
  const claims = await requireOwnRequest('app-request', token, session)
  const request = await requestOf(claims, session, context)
  const { app, parameters } = request
  // Asks before it consumes the token, because the page sends the same token again with a step-up.
  if (allow && stepUp === null && (await grantsOfflineAccess(request))) throw new ApiError('reauthentication_required')
  const obstacle = await obstacleOfRequest(request)
  const isGranted = allow && (obstacle === null || obstacle === 'consent')
  const record = () =>
    isGranted ? saveGrant(session, { app, scopes: parameters.scopes, consumes: claims }, context) : consumeToken(claims)
  // Limits answers, each of which writes a row or two: without a limit, one person could fill the tables.
  await limitWrites('session-writes', session, async () => requireRecorded(await record()))
  if (isGranted && app.document) await limitClients(session)
  return { location: await pathWithConsent(request, session, allow) }
}

/** Rejects the later of two concurrent answers to one request. */
function requireRecorded(isRecorded: boolean): void {
  if (!isRecorded) throw invalidRequest()
}

const grantsOfflineAccess = async ({ app, parameters, session }: SignedInRequest) =>
  includesOfflineAccess(parameters.scopes) && !includesOfflineAccess(await grantedScopes(session.user.id, app.id))

async function requestOf(
  { query }: Claims<'app-request'>,
  session: Session,
  context: RequestContext,
): Promise<SignedInRequest> {
  const received = await readRequest(new URLSearchParams(query))
  const id = soleValue(received.query, 'client_id') ?? ''
  // What was kept of a client that introduced itself may have made way for others while the page was open.
  const client = (await findClient(id)) ?? (await introducedClient(id, context))
  const redirect = redirectOf(received.query, typeof client === 'string' ? null : client)
  if (redirect.kind !== 'redirect') throw invalidRequest()
  const { app, redirectUri } = redirect
  try {
    const parameters = await parseParameters(received.query, app, redirectUri)
    return { ...received, app, redirectUri, parameters, session }
  } catch (error) {
    throw error instanceof AuthorizationError ? invalidRequest() : error
  }
}

type OwnRequest = 'app-request' | 'sign-out-request'

/** The request that this session is to confirm. @throws ApiError invalid_request if it is another's, altered or expired */
export async function requireOwnRequest(
  type: OwnRequest,
  token: string,
  session: Session,
): Promise<Claims<OwnRequest>> {
  const claims: Claims<OwnRequest> | null = await readToken(type, token)
  if (claims?.sid !== rootOf(session.claims)) throw invalidRequest()
  return claims
}

const invalidRequest = () => new ApiError('invalid_request', { fields: { request: { key: 'invalid' } } })
