import { ApiError } from '@/lib/api/errors'
import type { appRequestInput, consentInput } from '@/lib/api/schemas'
import type { Parsed, RequestContext } from '@/lib/auth/model/request-context'
import type { Session } from '@/lib/auth/sessions/find-session'
import type { StepUp } from '@/lib/auth/sessions/step-up'
import { limitAccountWrites } from '@/lib/auth/throttling/attempts'
import type { Claims } from '@/lib/auth/tokens/claims'
import { consumeToken, isConsumed } from '@/lib/database/consumed-tokens'
import { grantedScopes, saveGrant } from '../grants/grants'
import { personOf } from '../grants/person'
import { invalidRequest, requireOwnRequest } from '../grants/require-own-request'
import { isLasting } from '../grants/scopes'
import { AuthorizationError } from './authorization-error'
import { findRedirect } from './find-redirect'
import { obstacleOf } from './obstacles'
import { parseRequest } from './parameters'
import type { PendingRequest } from './pending-request'
import { pathWithAnswer, pathWithStart, readCarried } from './start'

/** What the consent page shows: the app, what it will learn, and what else stands in the way. */
export async function describeRequest({
  body,
  session,
  context,
}: Parsed<typeof appRequestInput> & { session: Session }) {
  const claims = await requireOwnRequest('app-request', body.request, session)
  if (await isConsumed(claims.jti)) throw invalidRequest()
  const pending = await pendingRequestOf(claims, session, context)
  const { app, redirectUri, request, carried } = pending
  const person = personOf(session.user)
  const obstacle = await obstacleOf(pending, session)
  const again = { app: app.name, session, fresh: true, hint: session.user.username }
  return {
    app: { name: app.name, host: hostOf(redirectUri) },
    scopes: request.scopes,
    email: request.scopes.includes('email') ? person.email : null,
    groups: request.scopes.includes('groups') ? [...person.groups] : [],
    ...(obstacle === 'not_a_member' && { obstacle }),
    ...(obstacle === 'passkey_required' && {
      obstacle,
      next: await pathWithStart({ ...carried, start: null }, again),
    }),
  }
}

type ConsentAnswer = Parsed<typeof consentInput> & { session: Session; stepUp: StepUp | null }

/** Records what the person says. `location` checks everything anew. */
export async function answerRequest({ body, session, stepUp, context }: ConsentAnswer) {
  const { request: token, allow } = body
  const claims = await requireOwnRequest('app-request', token, session)
  const pending = await pendingRequestOf(claims, session, context)
  const { app, request, carried } = pending
  // The first offline_access of an app needs a step-up. Before the request is consumed: the page sends it again.
  if (allow && stepUp === null && (await grantsOfflineAccess(pending, session)))
    throw new ApiError('reauthentication_required')
  // A page that says why the app cannot be used has nothing to allow.
  const obstacle = await obstacleOf(pending, session)
  // Insert and catch, before all else that is written: of two answers at once one succeeds.
  const consume = async () => {
    if (!(await consumeToken(claims))) throw invalidRequest()
  }
  if (allow && (obstacle === null || obstacle === 'consent'))
    // Each leaves an event, so they are limited: first, since a request that is rejected for that must stay good.
    await limitAccountWrites(session.user.id, async () => {
      await consume()
      if (!(await saveGrant(session, app, request.scopes, context))) throw invalidRequest()
    })
  else await consume()
  return { location: await pathWithAnswer(carried, session, allow) }
}

const grantsOfflineAccess = async ({ app, request }: PendingRequest, { user }: Session) =>
  isLasting(request.scopes) && !isLasting(await grantedScopes(user.id, app.id))

async function pendingRequestOf(
  { query }: Claims<'app-request'>,
  session: Session,
  context: RequestContext,
): Promise<PendingRequest> {
  const carried = await readCarried(new URLSearchParams(query))
  const redirect = await findRedirect(carried.query)
  if (typeof redirect === 'string') throw invalidRequest()
  try {
    const request = parseRequest(carried.query, redirect.app, redirect.redirectUri)
    return { ...redirect, request, carried, session, context }
  } catch (error) {
    throw error instanceof AuthorizationError ? invalidRequest() : error
  }
}

/** Whom the person sends it to; of a custom scheme, the scheme. */
const hostOf = (uri: string) => (/^https?:/.test(uri) ? new URL(uri).host : uri.slice(0, uri.indexOf(':')))
