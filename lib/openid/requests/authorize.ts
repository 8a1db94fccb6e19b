import { isApiError } from '@/lib/api/errors'
import { logSecurityEvent } from '@/lib/auth/events/security-log'
import type { RequestContext } from '@/lib/auth/request'
import { isAdmitted } from '@/lib/auth/sessions/app-rules'
import { findSession } from '@/lib/auth/sessions/find'
import { limitWrites } from '@/lib/auth/throttling/attempts'
import { findClient, introducedClient } from '../apps/find'
import { grantedScopes, saveGrant } from '../apps/grants'
import { refuse } from '../apps/refusals'
import { issueCode } from '../tokens/codes'
import { obstacleOfRequest, resolveObstacle } from './consent'
import {
  type AuthorizationOutcome,
  type AuthorizationRequest,
  needsCredential,
  needsHintedAccount,
  needsOtherMethod,
  readRequest,
  requireAuthentication,
  type SignedInRequest,
} from './interaction'
import { AuthorizationError, parseParameters, readRequestObject, redirectOf, soleValue } from './parameters'

/**
 * The authorization endpoint (OpenID Connect Core section 3.1.2). The browser comes back here after each page, and each time we
 * check everything anew.
 */
export async function authorize(search: URLSearchParams, context: RequestContext): Promise<AuthorizationOutcome> {
  const received = await readRequest(search)
  const { query } = received
  const client = await introducedClient(soleValue(query, 'client_id') ?? '', context)
  if (typeof client === 'string') return { kind: 'unknown_app', fault: client }
  const redirect = redirectOf(query, client)
  if (redirect.kind === 'unknown_redirect_uri')
    await refuse(context, { app: redirect.app, reason: 'redirect_uri_not_registered', uri: redirect.redirectUri })
  if (redirect.kind !== 'redirect') return redirect
  const { app, redirectUri } = redirect
  const object = readRequestObject(query)
  const state = object.state ?? soleValue(query, 'state')
  const mode = object.responseMode ?? query.get('response_mode')
  const respond = (result: Record<string, string>): AuthorizationOutcome => ({
    kind: 'response',
    redirectUri,
    mode: mode === 'form_post' ? 'form_post' : 'query',
    parameters: { ...result, ...(state !== null && { state }) },
  })
  try {
    const parameters = await parseParameters(query, app, redirectUri)
    const session = await findSession(context.session)
    const result = await codeOrInteraction({ ...received, app, redirectUri, parameters, session }, context)
    return result.kind === 'code' ? respond({ code: result.code }) : result
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error
    if (error.reason !== null) await refuse(context, { app, reason: error.reason })
    return respond({ error: error.code, error_description: error.message })
  }
}

async function codeOrInteraction(
  request: AuthorizationRequest,
  context: RequestContext,
): Promise<{ kind: 'code'; code: string } | AuthorizationOutcome> {
  const { app, redirectUri, parameters, session } = request
  if (!session) return requireAuthentication(request)
  const signedIn = { ...request, session }
  if ((await needsHintedAccount(signedIn)) || needsCredential(signedIn) || needsOtherMethod(signedIn))
    return requireAuthentication(request)
  requireApiGroups(signedIn)
  const obstacle = await obstacleOfRequest(signedIn)
  if (obstacle) return resolveObstacle(signedIn, obstacle, context)
  const isGranted = !app.trusted || (await grantTrusted(signedIn, context))
  const { challenge, nonce, scopes } = parameters
  const code = isGranted && (await issueCode(session, { app, redirectUri, challenge, nonce, scopes }))
  if (!code) return withoutCode(signedIn, context)
  logSecurityEvent('signed_in_to_app', context, { account: session.user.id, app: app.id })
  return { kind: 'code', code }
}

/** @throws AuthorizationError access_denied: the app itself may be open to the person, who can use it without the API */
function requireApiGroups({ parameters, session }: SignedInRequest): void {
  if (!parameters.apis.every(({ api }) => isAdmitted(api, session.user)))
    throw new AuthorizationError('access_denied', 'The account is in none of the groups that this API is for.', 'group')
}

async function withoutCode(signedIn: SignedInRequest, context: RequestContext): Promise<AuthorizationOutcome> {
  const app = await findClient(signedIn.app.id)
  if (!app) return { kind: 'unknown_app' }
  if (signedIn.app.trusted && !app.trusted) return resolveObstacle(signedIn, 'consent', context)
  // The session has ended meanwhile, or somebody removed the grant: only a new credential leads on.
  return requireAuthentication({ ...signedIn, interaction: null })
}

/**
 * Saves a grant for an app that the operator trusts, and so consents to in the person's place.
 *
 * @returns false if meanwhile the session has ended, or the operator deleted the app or trusts it no longer
 * @throws AuthorizationError past the limit: without it, removing the grant and signing in again would write rows without end
 */
async function grantTrusted({ app, parameters, session }: SignedInRequest, context: RequestContext): Promise<boolean> {
  const granted = await grantedScopes(session.user.id, app.id)
  if (parameters.scopes.every((scope) => granted.includes(scope))) return true
  try {
    const grant = { app, scopes: parameters.scopes }
    return await limitWrites('session-writes', session, () => saveGrant(session, grant, context))
  } catch (error) {
    if (!isApiError(error)) throw error
    if (error.code === 'not_signed_in') return false
    if (error.code === 'too_many_attempts')
      throw new AuthorizationError('temporarily_unavailable', 'The account has let in too many apps lately.')
    throw error
  }
}
