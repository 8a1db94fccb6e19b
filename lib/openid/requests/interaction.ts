import { hash } from 'node:crypto'
import type { Session } from '@/lib/auth/sessions/find-session'
import { type Claims, rootOf } from '@/lib/auth/tokens/claims'
import { issueToken, readToken } from '@/lib/auth/tokens/tokens'

/** Our own parameters of the authorization endpoint, which an app's request does not have. */
const interactionParameter = 'latchkey_start'
const decisionParameter = 'latchkey_answer'

export const authorizationPath = '/api/oauth/authorize'

const interactionSeconds = 3600
/** The consent page navigates at once. */
const decisionSeconds = 120
const longestHint = 64

/** The signed record that the server began to interact with a person for an authorization request. */
export type Interaction = Claims<'request-start'>

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

/** Where every way of signing in leads back to. */
export async function pathWithInteraction(
  { query, digest, interaction }: RequestProgress,
  { appName, session, fresh, loginHint }: InteractionOptions,
): Promise<string> {
  // An earlier one goes on: its person may have signed in at another tab meanwhile.
  if (interaction && (interaction.fresh === true || !fresh))
    return pathWith(query, interactionParameter, await reissue(interaction))
  const claims = {
    app: appName,
    digest,
    ...(session && { sid: session.claims.jti }),
    ...(fresh && { fresh: true as const }),
    ...(loginHint !== null && loginHint.length <= longestHint && { hint: loginHint }),
  }
  const { token } = await issueToken('request-start', claims, interactionSeconds)
  return pathWith(query, interactionParameter, token)
}

export async function pathWithDecision(
  { query, digest, interaction }: RequestProgress,
  session: Session,
  allow: boolean,
): Promise<string> {
  const { token } = await issueToken('consent-answer', { sid: rootOf(session.claims), digest, allow }, decisionSeconds)
  const extended = new URLSearchParams(query)
  if (interaction) extended.append(interactionParameter, await reissue(interaction))
  return pathWith(extended, decisionParameter, token)
}

async function reissue(interaction: Interaction): Promise<string> {
  const { jti, iat, exp } = interaction
  return (await issueToken('request-start', interaction, exp - iat, { jti, iat })).token
}

const pathWith = (query: URLSearchParams, parameter: string, token: string) =>
  `${authorizationPath}?${new URLSearchParams([...query, [parameter, token]])}`

/** Whether the session's credential was shown after the interaction began: it is not the session that was there before. */
export const isAuthenticatedSince = (interaction: Interaction | null, { claims }: Pick<Session, 'claims'>): boolean =>
  interaction !== null && claims.jti !== interaction.sid && (claims.auth_time ?? claims.iat) >= interaction.iat

/** For the pages that lead on to the path. */
export async function interactionOfPath(path: string): Promise<Interaction | null> {
  const [pathname, search] = path.split('?', 2)
  return pathname === authorizationPath ? (await readProgress(new URLSearchParams(search))).interaction : null
}
