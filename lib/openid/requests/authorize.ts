import { isApiError } from '@/lib/api/errors'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { findSession, type Session } from '@/lib/auth/sessions/sessions'
import { issueToken } from '@/lib/auth/tokens/tokens'
import { type AppWithSecrets, findApp } from '../apps/app'
import { isOnDevice, isRegistered } from '../apps/redirect-uris'
import { issueCode } from '../grants/codes'
import { grantedScopes, saveGrant } from '../grants/grants'
import { amrOf, isByPasskey } from '../grants/methods'
import { mayUse, personOf } from '../grants/person'
import { readSigned } from '../tokens/signed-tokens'
import { AuthorizationError } from './authorization-error'
import { type AuthorizationRequest, parseRequest } from './parameters'
import { type CarriedRequest, isShownSince, pathWithStart, readCarried } from './start'

/** Long enough to read the page, shorter than the start of the request. */
const consentSeconds = 1800

/** What the browser does next. */
export type Outcome =
  /** Shows a page: nobody knows whom to answer. */
  | { kind: 'unknown_app' | 'unknown_address' }
  /** Goes to a page of ours. */
  | { kind: 'page'; path: string; uiLocales: string[] }
  /** Answers the app. */
  | { kind: 'answer'; redirectUri: string; mode: 'query' | 'form_post'; parameters: Record<string, string> }

/** The authorization endpoint (OpenID Connect Core section 3.1.2), on every pass: it trusts no earlier one. */
export async function authorize(given: URLSearchParams, context: RequestContext): Promise<Outcome> {
  const carried = await readCarried(given)
  const { query } = carried
  const app = query.getAll('client_id').length === 1 ? await findApp(query.get('client_id') ?? '') : null
  if (!app) return { kind: 'unknown_app' }
  const redirectUri = query.get('redirect_uri') ?? ''
  // Never a redirect to what is not registered (RFC 9700 section 4.11).
  if (query.getAll('redirect_uri').length !== 1 || !isRegistered(app, redirectUri)) return { kind: 'unknown_address' }
  const answer = (parameters: Record<string, string>): Outcome => ({
    kind: 'answer',
    redirectUri,
    mode: query.get('response_mode') === 'form_post' ? 'form_post' : 'query',
    parameters: { ...parameters, ...(query.getAll('state').length === 1 && { state: query.get('state') ?? '' }) },
  })
  try {
    const request = parseRequest(query, app, redirectUri)
    const session = await findSession(context.session)
    const next = await nextStep({ app, redirectUri, request, carried, session, context })
    return typeof next === 'string' ? answer({ code: next }) : next
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error
    return answer({ error: error.code, error_description: error.message })
  }
}

export interface Attempt {
  app: AppWithSecrets
  redirectUri: string
  request: AuthorizationRequest
  carried: CarriedRequest
  session: Session | null
  context: RequestContext
}

/** @returns the code, or where its person has something to do first */
async function nextStep(attempt: Attempt): Promise<string | Outcome> {
  const { app, redirectUri, request, session, context } = attempt
  if (!session) return signIn(attempt)
  await requireHinted(request, session)
  if (needsCredential(attempt, session)) return signIn(attempt)
  const obstacle = await obstacleOf(attempt, session)
  if (obstacle) return askPerson(attempt, session, obstacle)
  const { challenge, nonce, scopes } = request
  const bound = { appId: app.id, redirectUri, challenge, nonce, scopes }
  const code = await issueCode(session, bound)
  if (code !== null) return code
  // A trusted app has no grant before its first code.
  const isSaved = await saveGrant(session, app, scopes, context).then(() => true, isOver)
  return (isSaved ? await issueCode(session, bound) : null) ?? signIn({ ...attempt, session: null })
}

/** Whether a write failed because the session has ended meanwhile. */
function isOver(error: unknown): false {
  if (isApiError(error) && error.code === 'not_signed_in') return false
  throw error
}

/** `prompt=none` answers for the person that the app means, or for nobody. */
async function requireHinted({ prompts, idTokenHint }: AuthorizationRequest, { user }: Session): Promise<void> {
  if (!prompts.has('none') || idTokenHint === null) return
  const hinted = await readSigned('JWT', idTokenHint, { expired: true })
  if (hinted?.sub !== user.id) throw new AuthorizationError('login_required', 'Another account is signed in.')
}

/** Whether the sign-in page is shown, to a signed-in person as well. */
function needsCredential({ request, carried }: Attempt, session: Session): boolean {
  if (isShownSince(carried.start, session)) return false
  const { prompts, maxAge, prefersPasskey } = request
  if (asksForCredential(request)) return true
  const { auth_time, iat } = session.claims
  if (maxAge !== null && (auth_time ?? iat) + maxAge < Date.now() / 1000) return true
  // Voluntary: asked for once, where there is a passkey to show.
  const canShow = session.passkeys.length > 0 && !isByPasskey(amrOf(session.claims))
  return prefersPasskey && canShow && carried.start === null && !prompts.has('none')
}

async function signIn(attempt: Attempt): Promise<Outcome> {
  const { app, request, carried, session } = attempt
  if (request.prompts.has('none'))
    throw new AuthorizationError('login_required', 'Nobody is signed in, or not recently enough.')
  const next = await pathWithStart(carried, {
    app: app.name,
    session,
    fresh: session !== null || asksForCredential(request),
    hint: request.loginHint,
  })
  const page = request.prompts.has('create') ? '/signup' : '/signin'
  return { kind: 'page', path: `${page}?${new URLSearchParams({ next })}`, uiLocales: request.uiLocales }
}

const asksForCredential = ({ prompts }: AuthorizationRequest) => prompts.has('login') || prompts.has('select_account')

/** What stands between a signed-in person and the app. */
export type Obstacle = 'not_a_member' | 'passkey_required' | 'consent'

const denials = {
  not_a_member: ['access_denied', 'The account is in none of the groups that this app is for.'],
  passkey_required: ['unmet_authentication_requirements', 'The app requires a passkey.'],
  consent: ['access_denied', 'The person has not allowed it.'],
} as const

export async function obstacleOf(attempt: Attempt, session: Session): Promise<Obstacle | null> {
  const { app } = attempt
  if (!mayUse(app, personOf(session.user))) return 'not_a_member'
  if (app.requirePasskey && !isByPasskey(amrOf(session.claims))) return 'passkey_required'
  return (await needsConsent(attempt, session)) ? 'consent' : null
}

async function needsConsent({ app, redirectUri, request, carried }: Attempt, session: Session): Promise<boolean> {
  const { answer } = carried
  if (answer?.sid === session.claims.jti) return !answer.allow
  // Any program of a device may pretend to be this app (RFC 8252 section 8.6).
  if (app.public && isOnDevice(redirectUri)) return true
  if (request.prompts.has('consent')) return true
  if (app.trusted) return false
  const granted = await grantedScopes(session.user.id, app.id)
  return request.scopes.some((scope) => !granted.includes(scope))
}

/** Shows the page that says what stands between, unless its person has declined or the app wants no page. */
async function askPerson(attempt: Attempt, session: Session, obstacle: Obstacle): Promise<Outcome> {
  const { request, carried } = attempt
  const [code, description] = denials[obstacle]
  const isDeclined = carried.answer?.sid === session.claims.jti && !carried.answer.allow
  if (isDeclined) throw new AuthorizationError(code, description)
  if (request.prompts.has('none'))
    throw new AuthorizationError(obstacle === 'consent' ? 'consent_required' : code, description)
  const path = await pathOfRequest(attempt, session)
  return { kind: 'page', path, uiLocales: request.uiLocales }
}

async function pathOfRequest({ carried, app, request }: Attempt, session: Session): Promise<string> {
  // With its start, so that a credential that was shown for it still counts.
  const path = carried.start
    ? await pathWithStart(carried, { app: app.name, session, fresh: false, hint: request.loginHint })
    : `?${carried.query}`
  const query = path.slice(path.indexOf('?') + 1)
  const { token } = await issueToken('app-request', { sid: session.claims.jti, query }, consentSeconds)
  return `/consent?${new URLSearchParams({ request: token })}`
}
