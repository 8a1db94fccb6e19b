import { hash } from 'node:crypto'
import { authorizationPath } from '@/lib/api/names'
import { withNext } from '@/lib/api/urls'
import type { Session } from '@/lib/auth/sessions/find'
import { nowInSeconds } from '@/lib/auth/time'
import { type Claims, methodReferences, rootOf } from '@/lib/auth/tokens/claims'
import { issueToken, readToken } from '@/lib/auth/tokens/tokens'
import type { AppWithSecrets } from '../apps/app'
import { readIdToken } from '../tokens/access-and-id-tokens'
import { acrOf, acrValues, isByPasskey } from '../tokens/claims'
import { AuthorizationError, type RequestParameters, type ResponseMode, type UnknownRedirectUri } from './parameters'

/**
 * An authorization request as it reached the endpoint: the app's query, and the two signed tokens that this server adds to the
 * query while it leads the person through its pages.
 */
export interface ReceivedRequest {
  /** The app's own, without the tokens */
  query: URLSearchParams
  /** Binds both tokens to the query */
  digest: string
  /** Says that this server began to interact with a person */
  interaction: Interaction | null
  /** Says whether a person consents */
  consent: Claims<'consent'> | null
}

type Interaction = Claims<'interaction'>

/** A request whose parameters are valid, and the session of the browser that it came from. */
export interface AuthorizationRequest extends ReceivedRequest {
  app: AppWithSecrets
  redirectUri: string
  parameters: RequestParameters
  session: Session | null
}

export interface SignedInRequest extends AuthorizationRequest {
  session: Session
}

export type AuthorizationOutcome =
  /** A page says so: without a registered redirect URI there is no authorization response. */
  | { kind: 'unknown_app'; fault?: string }
  | UnknownRedirectUri
  | { kind: 'page'; path: string; uiLocales: string[] }
  | { kind: 'response'; redirectUri: string; mode: ResponseMode; parameters: Record<string, string> }

/** The parameters that carry our tokens. */
const interactionParameter = 'latchkey_interaction'
const consentParameter = 'latchkey_consent'

/** Treats a token that belongs to another request, or has expired, as absent. */
export async function readRequest(received: URLSearchParams): Promise<ReceivedRequest> {
  const query = new URLSearchParams(received)
  query.delete(interactionParameter)
  query.delete(consentParameter)
  const digest = hash('sha256', query.toString(), 'base64url')
  const interactionToken = received.get(interactionParameter)
  const consentToken = received.get(consentParameter)
  const interaction = interactionToken === null ? null : await readToken('interaction', interactionToken)
  const consent = consentToken === null ? null : await readToken('consent', consentToken)
  return {
    query,
    digest,
    interaction: interaction?.digest === digest ? interaction : null,
    consent: consent?.digest === digest ? consent : null,
  }
}

/** Reads the interaction of the request that a path leads to, for the pages on the way there. */
export async function interactionOfPath(path: string): Promise<Interaction | null> {
  const [pathname, search] = path.split('?', 2)
  return pathname === authorizationPath ? (await readRequest(new URLSearchParams(search))).interaction : null
}

/**
 * Asks whether the person has yet to sign in to the account that `id_token_hint`, or the `sub` in `claims`, names: a response for
 * another account would pass one person off as another (OpenID Connect Core section 3.1.2.2). A hint that is no ID token of
 * ours names nobody; with `prompt=none`, which rests on it, it is an error.
 *
 * @throws AuthorizationError login_required if the person cannot, or did not, sign in to that account
 */
export async function needsHintedAccount({ parameters, interaction, session }: SignedInRequest): Promise<boolean> {
  const { prompts } = parameters
  const hinted = parameters.subject ?? (await hintedAccount(parameters))
  if (hinted === null) return false
  const isSame = hinted === session.user.id
  if (!isSame && (prompts.has('none') || isAuthenticatedSince(interaction, session)))
    throw new AuthorizationError('login_required', 'Another account is signed in.')
  return !isSame
}

async function hintedAccount({ idTokenHint, prompts }: RequestParameters): Promise<string | null> {
  if (idTokenHint === null) return null
  const hint = await readIdToken(idTokenHint)
  if (hint === null && prompts.has('none'))
    throw new AuthorizationError('login_required', 'The id_token_hint is no ID token of this issuer.')
  return hint?.sub ?? null
}

/**
 * Asks whether the person has yet to sign in by a method whose `acr` the app insists on (OpenID Connect Core section 5.5.1.1).
 *
 * @throws AuthorizationError unmet_authentication_requirements if the person cannot, or did not
 */
export function needsOtherMethod({ parameters, interaction, session }: SignedInRequest): boolean {
  const { prompts, requiredAcr } = parameters
  const acr = acrOf(methodReferences(session.claims))
  if (requiredAcr === null || (acr !== undefined && requiredAcr.includes(acr))) return false
  const isPossible = requiredAcr.some((value) => acrValues.includes(value))
  if (!isPossible || prompts.has('none') || isAuthenticatedSince(interaction, session))
    throw new AuthorizationError(
      'unmet_authentication_requirements',
      'The sign-in has none of the acr values of claims.',
    )
  return true
}

/** Asks whether the person has yet to show a credential for `prompt`, `max_age` or `acr_values`. */
export function needsCredential({ parameters, interaction, session }: SignedInRequest): boolean {
  if (isAuthenticatedSince(interaction, session)) return false
  const { prompts, maxAge, prefersPasskey } = parameters
  if (promptsAuthentication(parameters)) return true
  if (maxAge !== null && session.claims.auth_time + maxAge < Date.now() / 1000) return true
  // `acr_values` is voluntary: one interaction offers a passkey, if the person has one.
  const canShow = session.passkeys.length > 0 && !isByPasskey(methodReferences(session.claims))
  return prefersPasskey && canShow && interaction === null && !prompts.has('none')
}

/** Leads to the page for signing in or up, which leads back. @throws AuthorizationError login_required for `prompt=none` */
export async function requireAuthentication(request: AuthorizationRequest): Promise<AuthorizationOutcome> {
  const { app, parameters, session } = request
  if (parameters.prompts.has('none'))
    throw new AuthorizationError('login_required', 'Nobody is signed in, or not recently enough.')
  const next = await pathWithInteraction(request, {
    app,
    session,
    fresh: session !== null || promptsAuthentication(parameters),
    loginHint: parameters.loginHint,
  })
  const page = parameters.prompts.has('create') ? '/signup' : '/signin'
  return { kind: 'page', path: withNext(page, next), uiLocales: parameters.uiLocales }
}

const promptsAuthentication = ({ prompts }: RequestParameters) => prompts.has('login') || prompts.has('select_account')

/** Once the credential is older than this, whoever finds an interaction's link in a browser's history must show one again. */
const authenticationSeconds = 3600

/**
 * True if the person showed the session's credential after the interaction began, and lately: the session that was there before
 * does not count.
 */
export const isAuthenticatedSince = (interaction: Interaction | null, { claims }: Pick<Session, 'claims'>): boolean =>
  interaction !== null &&
  claims.jti !== interaction.sid &&
  claims.auth_time >= Math.max(interaction.iat, nowInSeconds() - authenticationSeconds)

interface InteractionOptions {
  app: Pick<AppWithSecrets, 'name' | 'icon' | 'requirePasskey'> & { document: object | null }
  session: Pick<Session, 'claims'> | null
  /** Only a credential that the person shows from now on suffices */
  fresh: boolean
  loginHint: string | null
}

/**
 * The path that every way of signing in leads back to. Continues an earlier interaction: the person may have signed in in another
 * tab meanwhile.
 */
async function pathWithInteraction(request: ReceivedRequest, options: InteractionOptions): Promise<string> {
  const { interaction } = request
  const continues = interaction !== null && (interaction.fresh === true || !options.fresh)
  return continues ? pathOf(await queryWithInteraction(request)) : pathWithNewInteraction(request, options)
}

/** A sign-in page may stay open overnight, or for days in a tab that nobody looks at. */
const interactionSeconds = 7 * 86_400
const maxHintLength = 64

/** The same path for a new interaction: no credential that the person showed for an earlier one counts. */
export async function pathWithNewInteraction(
  { query, digest }: Pick<ReceivedRequest, 'query' | 'digest'>,
  { app, session, fresh, loginHint }: InteractionOptions,
): Promise<string> {
  const claims = {
    app: app.name,
    // Nobody has looked at a client that introduced itself: a picture would vouch for it.
    ...(app.document === null && { icon: app.icon }),
    ...(app.requirePasskey && { passkey: true as const }),
    digest,
    ...(session && { sid: session.claims.jti }),
    ...(fresh && { fresh: true as const }),
    ...(loginHint !== null && loginHint.length <= maxHintLength && { hint: loginHint }),
  }
  const { token } = await issueToken('interaction', claims, interactionSeconds)
  return pathOf(query, [interactionParameter, token])
}

/** The query with its interaction, if there is one, so that the credential that the person showed for it still counts. */
export async function queryWithInteraction({ query, interaction }: ReceivedRequest): Promise<URLSearchParams> {
  return interaction ? new URLSearchParams([...query, [interactionParameter, await reissue(interaction)]]) : query
}

async function reissue(interaction: Interaction): Promise<string> {
  const { jti, iat, exp } = interaction
  return (await issueToken('interaction', interaction, exp - iat, { jti, iat })).token
}

/** The consent page navigates to this path at once. */
const consentSeconds = 120

export async function pathWithConsent(request: ReceivedRequest, session: Session, allow: boolean): Promise<string> {
  const { digest } = request
  const { token } = await issueToken('consent', { sid: rootOf(session.claims), digest, allow }, consentSeconds)
  return pathOf(await queryWithInteraction(request), [consentParameter, token])
}

const pathOf = (query: URLSearchParams, ...added: [parameter: string, token: string][]) =>
  `${authorizationPath}?${new URLSearchParams([...query, ...added])}`
