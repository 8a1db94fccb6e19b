import { ApiError } from '@/lib/api/errors'
import type { appRequestInput, consentInput } from '@/lib/api/schemas'
import type { Parsed } from '@/lib/auth/request'
import type { Session } from '@/lib/auth/sessions/find'
import type { StepUp } from '@/lib/auth/sessions/step-up'
import { limitWrites } from '@/lib/auth/throttling/attempts'
import { type Claims, rootOf } from '@/lib/auth/tokens/claims'
import { consumeToken, isConsumed } from '@/lib/auth/tokens/consumed-tokens'
import { readToken } from '@/lib/auth/tokens/tokens'
import { grantedScopes, includesOfflineAccess, saveGrant } from '../grants/grants'
import {
  findRedirect,
  pathWithDecision,
  pathWithNewInteraction,
  readProgress,
  type SignedInRequest,
} from './interaction'
import { obstacleOf } from './obstacles'
import { AuthorizationError, parseRequest } from './parameters'

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

/** What the consent page shows. */
export async function describeRequest({
  body,
  session,
}: Pick<Parsed<typeof appRequestInput>, 'body'> & { session: Session }) {
  const claims = await requireOwnRequest('app-request', body.request, session)
  if (await isConsumed(claims.jti)) throw invalidRequest()
  const pending = await pendingRequestOf(claims, session)
  const { app, redirectUri, request, progress } = pending
  const { username, email, groups } = session.user
  const obstacle = await obstacleOf(pending)
  const authentication = { appName: app.name, session, fresh: true, loginHint: username }
  return {
    app: { name: app.name, host: hostOf(redirectUri) },
    scopes: request.scopes,
    email: request.scopes.includes('email') ? email : null,
    groups: request.scopes.includes('groups') ? groups : [],
    ...(obstacle === 'not_a_member' && { obstacle }),
    ...(obstacle === 'passkey_required' && {
      obstacle,
      next: await pathWithNewInteraction(progress, authentication),
    }),
  }
}

type ConsentDecision = Parsed<typeof consentInput> & { session: Session; stepUp: StepUp | null }

/** Records the person's decision. `location` is the authorization endpoint, which checks everything anew. */
export async function recordDecision({ body, session, stepUp, context }: ConsentDecision) {
  const { request: token, allow } = body
  const claims = await requireOwnRequest('app-request', token, session)
  const pending = await pendingRequestOf(claims, session)
  const { app, request, progress } = pending
  // Before the request is consumed: the page sends it again with a step-up.
  if (allow && stepUp === null && (await grantsOfflineAccess(pending))) throw new ApiError('reauthentication_required')
  const obstacle = await obstacleOf(pending)
  const isGranted = allow && (obstacle === null || obstacle === 'consent')
  const record = () =>
    isGranted ? saveGrant(session, { app, scopes: request.scopes, consent: claims }, context) : consumeToken(claims)
  // Each writes a row or two: without a limit, one person could fill the tables.
  await limitWrites('session-writes', session, async () => requireRecorded(await record()))
  return { location: await pathWithDecision(progress, session, allow) }
}

/** One of two concurrent decisions is recorded. */
function requireRecorded(isRecorded: boolean): void {
  if (!isRecorded) throw invalidRequest()
}

const grantsOfflineAccess = async ({ app, request, session }: SignedInRequest) =>
  includesOfflineAccess(request.scopes) && !includesOfflineAccess(await grantedScopes(session.user.id, app.id))

async function pendingRequestOf({ query }: Claims<'app-request'>, session: Session): Promise<SignedInRequest> {
  const progress = await readProgress(new URLSearchParams(query))
  const redirect = await findRedirect(progress.query)
  if (redirect.kind !== 'redirect') throw invalidRequest()
  const { app, redirectUri } = redirect
  try {
    const request = parseRequest(progress.query, app, redirectUri)
    return { app, redirectUri, request, progress, session }
  } catch (error) {
    throw error instanceof AuthorizationError ? invalidRequest() : error
  }
}

/** The host that the response goes to; of a custom scheme, the scheme. */
const hostOf = (uri: string) => (/^https?:/.test(uri) ? new URL(uri).host : uri.slice(0, uri.indexOf(':')))
