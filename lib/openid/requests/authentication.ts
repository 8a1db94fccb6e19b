import { withNext } from '@/lib/api/with-next'
import { authTimeOf } from '@/lib/auth/tokens/claims'
import { methodReferences } from '@/lib/auth/tokens/method-references'
import { acrOf, acrValues, isByPasskey } from '../grants/passkey-acr'
import { readSigned } from '../tokens/signed-tokens'
import { AuthorizationError } from './authorization-error'
import { isAuthenticatedSince, pathWithInteraction } from './interaction'
import type { AuthorizationRequest } from './parameters'
import type { AuthorizationOutcome, PendingRequest, SignedInRequest } from './pending-request'

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
