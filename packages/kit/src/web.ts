import { type JWTPayload, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { Cookies, cookiesOf } from './cookies.js'
import { failurePage, json, keepFromCaches, log, noStore, redirect, setupPage } from './pages.js'
import { claimsOf, discover, exchangeFault, isOutage, keysAt, scopesOf, type User, userOf } from './provider.js'
import { forbiddenPage, isFromHere, isPrefetch, notInGroup, notSignedIn, safeNext, textOf } from './requests.js'
import {
  CookieTooLarge,
  endedCookies,
  endSession,
  nowInSeconds,
  readSession,
  renewSession,
  type Session,
  sessionCookies,
} from './sessions.js'
import { type Options, originOf, readSettings, type Settings, SetupError } from './settings.js'

export type { User } from './provider.js'
export type { Options, Store } from './settings.js'

export interface Requirement {
  /** A group that the person must be in */
  group?: string
}

export interface Latchkey {
  /** The response to a request for one of the paths below `/auth` that `paths` lists, else null. */
  handle(request: Request): Promise<Response | null>
  /** Who sends this request, or null. */
  auth(request: Request): Promise<User | null>
  /** Who sends this request. Throws a `Response`: to the sign-in, or for a call of an API 401; without the group 403. */
  requireUser(request: Request, requirement?: Requirement): Promise<User>
  /**
   * With `offline`: `auth`, and the values of `Set-Cookie` that the response must have, where the session was renewed, for
   * `withCookies`. A refresh token works once, so that `mayStore` is asked before.
   */
  renew(request: Request, mayStore?: () => boolean): Promise<{ user: User | null; cookies: string[] }>
}

/** The response with the cookies of a renewal, which then belongs into no cache, whatever the app has said of it. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  if (cookies.length === 0) return response
  // The headers of one that comes from elsewhere cannot be changed.
  const own = new Response(response.body, response)
  for (const cookie of cookies) own.headers.append('Set-Cookie', cookie)
  keepFromCaches(own.headers)
  return own
}

/** Seconds that a sign-in may take at the provider */
const signInSeconds = 600
/** Sign-ins under way in one browser; more are those of requests that nobody waits for, and would fill the header. */
const mostSignIns = 8

/**
 * Sign-in for an app that answers a `Request` with a `Response`. Reads its settings at the first request, so that a build needs
 * none.
 */
export function latchkey(options: Options = {}): Latchkey {
  let settings: Settings | undefined
  const perOrigin = new Map<string, Cookies>()
  const contextOf = (request: Request): Context => {
    settings ??= readSettings(options)
    const origin = originOf(request, settings)
    const cookies = perOrigin.get(origin) ?? new Cookies(settings, origin)
    // Any port of localhost is an origin, but an app has one.
    if (perOrigin.size < 100) perOrigin.set(origin, cookies)
    return { request, url: new URL(request.url), settings, origin, cookies }
  }

  const sessionOf = async (request: Request): Promise<{ context: Context; session: Session } | null> => {
    const context = knownContext(() => contextOf(request))
    if (!context) return null
    const session = await readSession(request, context.cookies, context.settings)
    return session && { context, session }
  }
  const auth = async (request: Request) => {
    const found = await sessionOf(request)
    return found && publicUser(found.session)
  }

  return {
    auth,
    async handle(request) {
      const path = paths.get(new URL(request.url).pathname)
      if (!path) return null
      if (request.method !== path.method) return json({ error: 'method_not_allowed' }, 405, { Allow: path.method })
      try {
        return await path.answer(contextOf(request))
      } catch (error) {
        if (error instanceof SetupError) return setupPage(error)
        throw error
      }
    },
    async requireUser(request, { group } = {}) {
      const user = await auth(request)
      if (!user) throw notSignedIn(request)
      if (group !== undefined && !user.groups.includes(group)) throw notInGroup(request, group)
      return user
    },
    async renew(request, mayStore) {
      const found = await sessionOf(request)
      if (!found) return { user: null, cookies: [] }
      const { cookies: sealing, settings } = found.context
      const { session, cookies } = await renewSession(found.session, sealing, settings, mayStore)
      return { user: session && publicUser(session), cookies }
    },
  }
}

interface Context {
  request: Request
  url: URL
  settings: Settings
  /** The app's */
  origin: string
  cookies: Cookies
}

const reported = new Set<string>()

/** Without good settings nobody can have signed in; the sign-in's page says what is wrong with them, and the log says it once. */
function knownContext(read: () => Context): Context | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    if (!reported.has(error.message)) log(error.message)
    if (reported.size < 100) reported.add(error.message)
    return null
  }
}

const publicUser = ({ id, username, name, email, groups }: Session): User => ({ id, username, name, email, groups })

const paths = new Map<string, { method: string; answer: (context: Context) => Promise<Response> }>([
  ['/auth/sign-in', { method: 'GET', answer: startSignIn }],
  ['/auth/callback', { method: 'GET', answer: finishSignIn }],
  ['/auth/sign-out', { method: 'POST', answer: signOut }],
  ['/auth/me', { method: 'GET', answer: me }],
  ['/auth/back-channel', { method: 'POST', answer: backChannel }],
  ['/auth/forbidden', { method: 'GET', answer: async () => forbiddenPage() }],
])

/** A sign-in under way: what its answer must agree with, and where the person wanted to go. */
interface SignIn extends JWTPayload {
  state: string
  nonce: string
  verifier: string
  next: string
}

async function startSignIn({ request, url, settings, origin, cookies }: Context): Promise<Response> {
  // A browser that only prepares for a press would fill itself with sign-ins; a client-side router would follow the redirect to
  // another origin in vain, and then load the page whole.
  if (isPrefetch(request)) return new Response(null, { status: 204, headers: noStore })
  const configuration = await discover(settings)
  const signIn: SignIn = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    next: safeNext(url.searchParams.get('next')),
  }
  const location = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: `${origin}/auth/callback`,
    scope: scopesOf(configuration, settings),
    state: signIn.state,
    nonce: signIn.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(signIn.verifier),
    code_challenge_method: 'S256',
  })
  const name = await signInName(signIn.state, cookies)
  const prefix = await cookies.name('-s-')
  // Browsers send the oldest first (RFC 6265 section 5.4).
  const others = [...cookiesOf(request).keys()].filter((other) => other.startsWith(prefix))
  const oldest = others.slice(0, Math.max(0, others.length + 1 - mostSignIns)).map((other) => cookies.expire(other))
  const started = cookies.header(name, await cookies.seal('sign-in', signIn, signInSeconds), signInSeconds)
  return redirect(location.href, [...oldest, started])
}

/** One cookie for each sign-in under way, so that two tabs do not overwrite each other's. */
const signInName = (state: string, cookies: Cookies) => cookies.name(`-s-${state.slice(0, 12)}`)

async function finishSignIn({ request, url, settings, origin, cookies }: Context): Promise<Response> {
  const state = url.searchParams.get('state') ?? ''
  const name = await signInName(state, cookies)
  const signIn = /^[\w-]{12,}$/.test(state) && ((await cookies.open('sign-in', request, name)) as SignIn | null)
  // An answer to a question that this browser did not ask could sign it in as somebody else (RFC 9700 section 4.7).
  if (!signIn || signIn.state !== state)
    return failurePage(400, 'This sign-in is over, or began in another browser', [])
  const finished = cookies.expire(name)
  try {
    const configuration = await discover(settings)
    const answer = new URL(`${origin}/auth/callback${url.search}`)
    const tokens = await oidc.authorizationCodeGrant(configuration, answer, {
      expectedState: signIn.state,
      expectedNonce: signIn.nonce,
      pkceCodeVerifier: signIn.verifier,
      idTokenExpected: true,
    })
    const claims = await claimsOf(configuration, tokens)
    const session: Session = {
      ...userOf(claims),
      sid: typeof claims.sid === 'string' ? claims.sid : null,
      since: nowInSeconds(),
      fresh: nowInSeconds(),
      refresh: settings.offline ? (tokens.refresh_token ?? null) : null,
    }
    const headers = await sessionCookies(session, tokens.id_token, cookies, settings)
    return redirect(new URL(signIn.next, origin).href, [finished, ...headers])
  } catch (error) {
    const page = failedCallback(error, settings)
    page.headers.append('Set-Cookie', finished)
    return page
  }
}

function failedCallback(error: unknown, settings: Settings): Response {
  if (error instanceof CookieTooLarge) return error.toPage()
  if (error instanceof SetupError) return failurePage(400, 'The sign-in failed', error.sentences)
  if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied')
    return failurePage(400, 'You were not signed in')
  return failurePage(400, 'The sign-in failed', [exchangeFault(error, settings)])
}

async function signOut({ request, settings, origin, cookies }: Context): Promise<Response> {
  if (!isFromHere(request, origin)) return json({ error: 'another_origin' }, 403)
  const session = await readSession(request, cookies, settings)
  const idToken = (await cookies.open('id-token', request, await cookies.idTokenName()))?.idToken
  const ended = await endedCookies(cookies)
  const home = `${origin}/`
  // A person who wants to be out is, whatever the provider says.
  const configuration = await discover(settings).catch(() => null)
  if (session) {
    if (session.sid !== null) await endSession(session, nowInSeconds(), settings, cookies)
    // The refresh token would outlive the session (RFC 7009).
    if (session.refresh && configuration?.serverMetadata().revocation_endpoint)
      await oidc.tokenRevocation(configuration, session.refresh).catch(() => {})
  }
  if (!session || !configuration?.serverMetadata().end_session_endpoint) return redirect(home, ended)
  const parameters = { post_logout_redirect_uri: home, ...(typeof idToken === 'string' && { id_token_hint: idToken }) }
  return redirect(oidc.buildEndSessionUrl(configuration, parameters).href, ended)
}

async function me({ request, settings, cookies }: Context): Promise<Response> {
  const session = await readSession(request, cookies, settings)
  if (!session) return json({ user: null })
  const renewal = await renewSession(session, cookies, settings)
  const response = json({ user: renewal.session && publicUser(renewal.session) })
  for (const cookie of renewal.cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** OpenID Connect Back-Channel Logout 1.0, section 2.6: the provider says that a session, or all of a person's, has ended. */
async function backChannel({ request, settings, cookies }: Context): Promise<Response> {
  if (!settings.store) return json({ error: 'not_found' }, 404)
  const body = await textOf(request)
  if (body === null) return json({ error: 'too_large' }, 413)
  const token = new URLSearchParams(body).get('logout_token') ?? ''
  const configuration = await discover(settings)
  const { issuer, jwks_uri } = configuration.serverMetadata()
  if (!jwks_uri) return json({ error: 'invalid_request' }, 400)
  const required = ['iss', 'aud', 'iat', 'exp', 'jti', 'events']
  const rules = { issuer, audience: settings.clientId, requiredClaims: required, clockTolerance: 30 }
  const verified = await jwtVerify(token, keysAt(jwks_uri), rules).catch((error: { code?: string }) => {
    // Keys that cannot be read say nothing of the token: the provider sends it again.
    return isOutage(error) ? 'outage' : null
  })
  if (verified === 'outage') return json({ error: 'temporarily_unavailable' }, 503)
  const ended = verified && endedBy(verified.payload)
  if (!ended) return json({ error: 'invalid_request', error_description: 'The logout token is not valid.' }, 400)
  await endSession(ended, verified.payload.iat ?? nowInSeconds(), settings, cookies)
  return new Response(null, { headers: noStore })
}

/** Section 2.4: an ID token is none, which would have a nonce and no such event. */
function endedBy({ events, nonce, sub, sid }: JWTPayload): { sid: string | null; id: string | null } | null {
  const event = (events as Record<string, unknown> | undefined)?.['http://schemas.openid.net/event/backchannel-logout']
  if (typeof event !== 'object' || event === null || nonce !== undefined) return null
  const ended = { sid: typeof sid === 'string' ? sid : null, id: sub ?? null }
  return ended.sid === null && ended.id === null ? null : ended
}
