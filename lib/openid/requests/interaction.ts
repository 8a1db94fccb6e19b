import { hash } from 'node:crypto'
import { decodeJwt, type JWTPayload } from 'jose'
import { withNext } from '@/lib/api/urls'
import type { Session } from '@/lib/auth/sessions/find'
import { nowInSeconds } from '@/lib/auth/time'
import { authTimeOf, type Claims, methodReferences, rootOf } from '@/lib/auth/tokens/claims'
import { issueToken, readToken } from '@/lib/auth/tokens/tokens'
import { type AppWithSecrets, findApp } from '../apps/app'
import { isRegistered } from '../apps/redirect-uris'
import { acrOf, acrValues, isByPasskey } from '../grants/grants'
import { readSigned } from '../tokens/issue'
import { AuthorizationError, type AuthorizationRequest, type ResponseMode } from './parameters'

/** `redirectUri` is null if it is missing or repeated. */
interface UnknownRedirectUri {
  kind: 'unknown_redirect_uri'
  app: AppWithSecrets
  redirectUri: string | null
}

type Redirect =
  | { kind: 'redirect'; app: AppWithSecrets; redirectUri: string }
  | { kind: 'unknown_app' }
  | UnknownRedirectUri

/** Where the authorization response goes. Never a redirect to what is not registered (RFC 9700 section 4.11). */
export async function findRedirect(query: URLSearchParams): Promise<Redirect> {
  const id = soleValue(query, 'client_id')
  const redirectUri = soleValue(query, 'redirect_uri')
  const app = id === null ? null : await findApp(id)
  if (!app) return { kind: 'unknown_app' }
  if (redirectUri === null || !isRegistered(app, redirectUri)) return { kind: 'unknown_redirect_uri', app, redirectUri }
  return { kind: 'redirect', app, redirectUri }
}

/** Null also without a value, which counts as omitted (RFC 6749 section 3.1). */
export function soleValue(query: URLSearchParams, name: string): string | null {
  const [value = null, ...others] = query.getAll(name)
  return others.length === 0 && value !== '' ? value : null
}

/**
 * What a request object says about the response, before what the query says (OpenID Connect Core section 6.1). The object is
 * not supported: the answer is an error, to a URI that is registered, so that no signature needs to be verified.
 */
export function readRequestObject(query: URLSearchParams): { state: string | null; responseMode: string | null } {
  const object = soleValue(query, 'request')
  const { state, response_mode } = object === null ? {} : payloadOf(object)
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  return { state: textOf(state), responseMode: textOf(response_mode) }
}

function payloadOf(token: string): JWTPayload {
  try {
    return decodeJwt(token)
  } catch {
    return {}
  }
}

export type AuthorizationOutcome =
  /** A page says so: without a registered redirect URI there is no authorization response. */
  | { kind: 'unknown_app' }
  | UnknownRedirectUri
  | { kind: 'page'; path: string; uiLocales: string[] }
  | { kind: 'response'; redirectUri: string; mode: ResponseMode; parameters: Record<string, string> }

/** An authorization request on one pass through the endpoint. */
export interface PendingRequest {
  app: AppWithSecrets
  redirectUri: string
  request: AuthorizationRequest
  progress: RequestProgress
  session: Session | null
}

export interface SignedInRequest extends PendingRequest {
  session: Session
}

/** Our own parameters of the authorization endpoint, which an app's request does not have. */
const interactionParameter = 'latchkey_start'
const decisionParameter = 'latchkey_answer'

export const authorizationPath = '/api/oauth/authorize'

/** A page to sign in at may stay open overnight, or for days in a tab that nobody looks at. */
const interactionSeconds = 7 * 86_400
/** How old a credential that was shown for an interaction may be: whoever takes its link from a history must show one again. */
const authenticationSeconds = 3600
/** The consent page navigates at once. */
const decisionSeconds = 120
const maxHintLength = 64

/** The signed record that the server began to interact with a person for an authorization request. */
type Interaction = Claims<'request-start'>

/** An app's authorization request, and what this server has added to it. */
export interface RequestProgress {
  query: URLSearchParams
  /** Binds interaction and decision to the query */
  digest: string
  interaction: Interaction | null
  decision: Claims<'consent-answer'> | null
}

/** What was added for another request, or has expired, counts as absent. */
export async function readProgress(parameters: URLSearchParams): Promise<RequestProgress> {
  const query = new URLSearchParams(parameters)
  query.delete(interactionParameter)
  query.delete(decisionParameter)
  const digest = hash('sha256', query.toString(), 'base64url')
  const interactionToken = parameters.get(interactionParameter)
  const decisionToken = parameters.get(decisionParameter)
  const interaction = interactionToken === null ? null : await readToken('request-start', interactionToken)
  const decision = decisionToken === null ? null : await readToken('consent-answer', decisionToken)
  return {
    query,
    digest,
    interaction: interaction?.digest === digest ? interaction : null,
    decision: decision?.digest === digest ? decision : null,
  }
}

interface InteractionOptions {
  appName: string
  session: Pick<Session, 'claims'> | null
  /** Whether only a credential that is shown from now on suffices */
  fresh: boolean
  loginHint: string | null
}

/**
 * Where every way of signing in leads back to. Continues an earlier interaction: the person may have signed in in another tab
 * meanwhile.
 */
async function pathWithInteraction(progress: RequestProgress, options: InteractionOptions): Promise<string> {
  const { interaction } = progress
  const continues = interaction !== null && (interaction.fresh === true || !options.fresh)
  return continues ? pathOf(await queryWithInteraction(progress)) : pathWithNewInteraction(progress, options)
}

/** The same, where no credential of an earlier interaction counts. */
export async function pathWithNewInteraction(
  { query, digest }: Pick<RequestProgress, 'query' | 'digest'>,
  { appName, session, fresh, loginHint }: InteractionOptions,
): Promise<string> {
  const claims = {
    app: appName,
    digest,
    ...(session && { sid: session.claims.jti }),
    ...(fresh && { fresh: true as const }),
    ...(loginHint !== null && loginHint.length <= maxHintLength && { hint: loginHint }),
  }
  const { token } = await issueToken('request-start', claims, interactionSeconds)
  return pathOf(query, [interactionParameter, token])
}

/** The query with its interaction, if there is one, so that a credential that was shown for it still counts. */
export async function queryWithInteraction({ query, interaction }: RequestProgress): Promise<URLSearchParams> {
  return interaction ? new URLSearchParams([...query, [interactionParameter, await reissue(interaction)]]) : query
}

export async function pathWithDecision(progress: RequestProgress, session: Session, allow: boolean): Promise<string> {
  const { digest } = progress
  const { token } = await issueToken('consent-answer', { sid: rootOf(session.claims), digest, allow }, decisionSeconds)
  return pathOf(await queryWithInteraction(progress), [decisionParameter, token])
}

async function reissue(interaction: Interaction): Promise<string> {
  const { jti, iat, exp } = interaction
  return (await issueToken('request-start', interaction, exp - iat, { jti, iat })).token
}

const pathOf = (query: URLSearchParams, ...added: [parameter: string, token: string][]) =>
  `${authorizationPath}?${new URLSearchParams([...query, ...added])}`

/**
 * Whether the session's credential was shown after the interaction began, and lately: it is not the session that was there
 * before.
 */
export const isAuthenticatedSince = (interaction: Interaction | null, { claims }: Pick<Session, 'claims'>): boolean =>
  interaction !== null &&
  claims.jti !== interaction.sid &&
  authTimeOf(claims) >= Math.max(interaction.iat, nowInSeconds() - authenticationSeconds)

/** For the pages that lead on to the path. */
export async function interactionOfPath(path: string): Promise<Interaction | null> {
  const [pathname, search] = path.split('?', 2)
  return pathname === authorizationPath ? (await readProgress(new URLSearchParams(search))).interaction : null
}

/**
 * Whether the person has yet to sign in to the account of `id_token_hint`, or of the `sub` that `claims` requests: a response for another would pass one person off as
 * another (OpenID Connect Core section 3.1.2.2). A hint that is no ID token of ours names nobody; with `prompt=none`, which
 * rests on it, it is an error.
 *
 * @throws AuthorizationError login_required if the person cannot, or did not, sign in to that account
 */
export async function needsHintedAccount({ request, progress, session }: SignedInRequest): Promise<boolean> {
  const { prompts } = request
  const hinted = request.subject ?? (await hintedAccount(request))
  if (hinted === null) return false
  const isSame = hinted === session.user.id
  if (!isSame && (prompts.has('none') || isAuthenticatedSince(progress.interaction, session)))
    throw new AuthorizationError('login_required', 'Another account is signed in.')
  return !isSame
}

async function hintedAccount({ idTokenHint, prompts }: AuthorizationRequest): Promise<string | null> {
  if (idTokenHint === null) return null
  const hint = await readSigned('JWT', idTokenHint, { expired: true })
  if (hint === null && prompts.has('none'))
    throw new AuthorizationError('login_required', 'The id_token_hint is no ID token of this issuer.')
  return hint?.sub ?? null
}

/**
 * Whether the person has yet to sign in by a method whose `acr` the app insists on (OpenID Connect Core section 5.5.1.1).
 *
 * @throws AuthorizationError unmet_authentication_requirements if the person cannot, or did not
 */
export function needsOtherMethod({ request, progress, session }: SignedInRequest): boolean {
  const { prompts, requiredAcr } = request
  const acr = acrOf(methodReferences(session.claims))
  if (requiredAcr === null || (acr !== undefined && requiredAcr.includes(acr))) return false
  const isPossible = requiredAcr.some((value) => acrValues.includes(value))
  if (!isPossible || prompts.has('none') || isAuthenticatedSince(progress.interaction, session))
    throw new AuthorizationError(
      'unmet_authentication_requirements',
      'The sign-in has none of the acr values of claims.',
    )
  return true
}

export function needsCredential({ request, progress, session }: SignedInRequest): boolean {
  if (isAuthenticatedSince(progress.interaction, session)) return false
  const { prompts, maxAge, prefersPasskey } = request
  if (promptsAuthentication(request)) return true
  if (maxAge !== null && authTimeOf(session.claims) + maxAge < Date.now() / 1000) return true
  // `acr_values` is voluntary: one interaction offers a passkey, if the person has one.
  const canShow = session.passkeys.length > 0 && !isByPasskey(methodReferences(session.claims))
  return prefersPasskey && canShow && progress.interaction === null && !prompts.has('none')
}

/** Leads to the page for signing in or up, which leads back. @throws AuthorizationError login_required for `prompt=none` */
export async function requireAuthentication(pending: PendingRequest): Promise<AuthorizationOutcome> {
  const { app, request, progress, session } = pending
  if (request.prompts.has('none'))
    throw new AuthorizationError('login_required', 'Nobody is signed in, or not recently enough.')
  const next = await pathWithInteraction(progress, {
    appName: app.name,
    session,
    fresh: session !== null || promptsAuthentication(request),
    loginHint: request.loginHint,
  })
  const page = request.prompts.has('create') ? '/signup' : '/signin'
  return { kind: 'page', path: withNext(page, next), uiLocales: request.uiLocales }
}

const promptsAuthentication = ({ prompts }: AuthorizationRequest) =>
  prompts.has('login') || prompts.has('select_account')
