import type { signOutRequestInput } from '@/lib/api/schemas'
import { withoutEmpty } from '@/lib/api/urls'
import { recordEvent } from '@/lib/auth/events/record'
import { logIfUntrusted } from '@/lib/auth/events/rejections'
import { logSecurityEvent } from '@/lib/auth/events/security-log'
import type { Parsed, RequestContext } from '@/lib/auth/request'
import { findSession, type Session } from '@/lib/auth/sessions/find'
import { type LogoutPayload, logoutMessage } from '@/lib/auth/sessions/reached-apps'
import { revokeSession } from '@/lib/auth/sessions/sign-out'
import { nowInSeconds } from '@/lib/auth/time'
import { rootOf } from '@/lib/auth/tokens/claims'
import { issueToken } from '@/lib/auth/tokens/tokens'
import { readRows } from '@/lib/database/sql'
import { startDelivering } from '@/lib/delivery/delivering'
import { callReceiver } from '@/lib/delivery/receiver'
import { type Delivery, type Outcome, outcomeOfStatus, registerSender, type Sender } from '@/lib/delivery/senders'
import { settings } from '@/lib/settings/settings'
import { type App, splitSpaced } from './apps/app'
import { findApp } from './apps/find'
import { refuse } from './apps/refusals'
import { requireOwnRequest } from './requests/consent'
import { publicSessionId, readIdToken, sign } from './tokens/access-and-id-tokens'
import { signingKey } from './tokens/signing-keys'

export const logoutPath = '/api/oauth/logout'

const confirmationSeconds = 1800

/** Sends the browser to the confirmation page, or signed out to `returnTo`; with null, it stays here. */
type LogoutOutcome =
  | { kind: 'confirmation'; path: string; uiLocales: string[] }
  | { kind: 'signed_out'; ended: boolean; returnTo: string | null }

/**
 * The logout endpoint (OpenID Connect RP-Initiated Logout 1.0). Asks for confirmation, because any site can link here, unless
 * the request has the session's own ID token. Asks even then if the URI is not registered, since the person would end up here
 * without a word (section 3).
 */
export async function logout(query: URLSearchParams, context: RequestContext): Promise<LogoutOutcome> {
  const request = await readLogoutRequest(query)
  const session = await findSession(context.session)
  const { app, hint, returnTo, unregistered } = request
  if (app && unregistered !== null)
    await refuse(context, { app, reason: 'sign_out_uri_not_registered', uri: unregistered })
  if (!session) return { kind: 'signed_out', ended: false, returnTo }
  const isTheirs = hint === null || hint.account === session.user.id
  if (app && hint && isTheirs && unregistered === null && hint.sid === publicSessionId(rootOf(session.claims))) {
    await endForApp(session, app, context)
    return { kind: 'signed_out', ended: true, returnTo }
  }
  const pending = { sid: rootOf(session.claims), query: withoutHint(query, { app, mayReturn: isTheirs }) }
  const { token } = await issueToken('sign-out-request', pending, confirmationSeconds)
  const path = `/signout?${new URLSearchParams({ request: token })}`
  return { kind: 'confirmation', path, uiLocales: splitSpaced(query.get('ui_locales') ?? '') }
}

type Confirmation = Parsed<typeof signOutRequestInput> & { session: Session }

/** Describes the logout for the confirmation page `/signout`. */
export async function describeLogout({ body, session }: Pick<Confirmation, 'body' | 'session'>) {
  const { app, unregistered } = await readOwn(body.request, session)
  return { app: app && { name: app.name }, ...(unregistered !== null && { unregistered: true as const }) }
}

/** @returns where the browser goes on; null to stay here */
export async function confirmLogout({ body, session, context }: Confirmation): Promise<string | null> {
  const { app, returnTo } = await readOwn(body.request, session)
  await endForApp(session, app, context)
  return returnTo
}

async function readOwn(token: string, session: Session) {
  const { query } = await requireOwnRequest('sign-out-request', token, session)
  return readLogoutRequest(new URLSearchParams(query))
}

/** Ends the session for an app. Refresh tokens stay, as after the owner's own sign-out. */
async function endForApp({ user, claims }: Session, app: App | null, context: RequestContext): Promise<void> {
  if (!(await revokeSession(claims))) return
  if (app) await recordEvent(user.id, 'signed_out_by_app', context, { app })
  else logSecurityEvent('signed_out', context, { account: user.id })
}

/** An app's logout request (OpenID Connect RP-Initiated Logout 1.0, section 2). */
interface LogoutRequest {
  /** Null if the request names none, or contradicts itself */
  app: App | null
  /** The session that `id_token_hint` names */
  hint: { account: string | undefined; sid: unknown } | null
  /** The `post_logout_redirect_uri`, if it is registered, with `state` */
  returnTo: string | null
  /** The `post_logout_redirect_uri`, if it is not registered */
  unregistered: string | null
}

const parameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const

const anonymous: LogoutRequest = { app: null, hint: null, returnTo: null, unregistered: null }

/**
 * Reads the request. Takes an expired ID token as a hint, since people sign out days later; one that is not ours voids the
 * request.
 */
async function readLogoutRequest(all: URLSearchParams): Promise<LogoutRequest> {
  if (parameters.some((name) => all.getAll(name).length > 1)) return anonymous
  const query = withoutEmpty(all)
  const token = query.get('id_token_hint')
  const clientId = query.get('client_id')
  const claims = token === null ? null : await readIdToken(token)
  if (token !== null && (typeof claims?.aud !== 'string' || (clientId ?? claims.aud) !== claims.aud)) return anonymous
  const app = await findApp(typeof claims?.aud === 'string' ? claims.aud : (clientId ?? ''))
  if (!app) return anonymous
  const hint = claims && { account: claims.sub, sid: claims.sid }
  const uri = query.get('post_logout_redirect_uri')
  // Compares text, as for redirect URIs: no open redirector (RFC 9700 section 4.11).
  if (uri === null || !app.signOutUris.includes(uri)) return { app, hint, returnTo: null, unregistered: uri }
  return { app, hint, returnTo: withState(uri, query.get('state')), unregistered: null }
}

const withState = (uri: string, state: string | null) =>
  state === null ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`

/** Makes the same request without a hint, for the confirmation page. @param mayReturn false if it must not lead to the app */
function withoutHint(
  query: URLSearchParams,
  { app, mayReturn }: Pick<LogoutRequest, 'app'> & { mayReturn: boolean },
): string {
  const kept = new URLSearchParams(app ? { client_id: app.id } : {})
  for (const name of ['post_logout_redirect_uri', 'state'] as const) {
    const value = query.get(name)
    if (app && mayReturn && value !== null) kept.set(name, value)
  }
  return kept.toString()
}

/* Back-channel logout: an app learns of the end of a session also where no browser comes by. */

/**
 * Starts to deliver logouts at startup, because another process, such as a command, may give any app a back channel and end the
 * sessions that this one notifies apps of.
 */
export async function startBackChannel(): Promise<void> {
  registerSender([logoutMessage], logoutSender)
  // A process that does not live polls nothing, and a build may not have migrated the database yet.
  if (!settings().processLives) return
  const apps = await readRows`SELECT 1 AS "found" FROM "App" a LIMIT 1`
  if (apps.length > 0) startDelivering()
}

/** Allows for clock skew; each attempt signs a new token. */
const logoutTokenSeconds = 120

/** Notifies an app that a session has ended, or all of an account (OpenID Connect Back-Channel Logout 1.0). */
const logoutSender: Sender = {
  receiver: async ({ payload, receiver }) => (await findApp(payloadOf(payload).app))?.backChannelUri ?? receiver,
  async send({ id, account, payload }, signal) {
    const { app: appId, root } = payloadOf(payload)
    const app = await findApp(appId)
    if (!app?.backChannelUri) return { result: 'failed', error: 'the app has no back-channel URI any more' }
    const token = await logoutToken({ id, account, appId, root })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ logout_token: token }).toString()
    const calling = callReceiver(app.backChannelUri, { headers, body, signal })
    const status = await calling.catch(logIfUntrusted({ id, account }, appId))
    return outcomeOf(status)
  },
}

const payloadOf = (payload: string) => JSON.parse(payload) as LogoutPayload

type Subject = Pick<Delivery, 'id' | 'account'> & { appId: string; root: string | undefined }

/** `jti` stays the same for all attempts, so that the app recognizes a repetition. */
async function logoutToken({ id, account, appId, root }: Subject) {
  const iat = nowInSeconds()
  const claims = {
    iss: settings().origins[0],
    aud: appId,
    sub: account,
    ...(root !== undefined && { sid: publicSessionId(root) }),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    jti: id,
    iat,
    exp: iat + logoutTokenSeconds,
  }
  return sign('logout+jwt', claims, await signingKey())
}

/** 400: the app rejects the token (section 2.8), and would reject the next one. */
const outcomeOf = (status: number): Outcome =>
  status === 400
    ? { result: 'failed', error: 'answered 400: the app rejects the logout token' }
    : outcomeOfStatus(status)
