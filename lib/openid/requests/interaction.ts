import { hash } from 'node:crypto'
import { nowInSeconds } from '@/lib/auth/model/time'
import type { Session } from '@/lib/auth/sessions/find-session'
import { authTimeOf, type Claims, rootOf } from '@/lib/auth/tokens/claims'
import { issueToken, readToken } from '@/lib/auth/tokens/tokens'

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
export async function pathWithInteraction(progress: RequestProgress, options: InteractionOptions): Promise<string> {
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
