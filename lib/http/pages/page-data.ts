import type { Body, PostPath, Result } from '@/lib/api/endpoints'
import { ApiError, isApiError } from '@/lib/api/errors'
import type { Account, AccountEvent, EventKind, EventPage, LiveSession } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import { describeAccount } from '@/lib/auth/account/describe-account'
import { requireGoodInvitation, requireSignUp } from '@/lib/auth/account/invitations'
import { eventsOfAccount, notableEventsOfAccount } from '@/lib/auth/account/list-events'
import { logIfForged } from '@/lib/auth/audit/log-rejection'
import { createAuthenticationOptions } from '@/lib/auth/passkeys/authentication-options'
import { findSession, type Session } from '@/lib/auth/sessions/find-session'
import { sessionsOf } from '@/lib/auth/sessions/list-sessions'
import { readSessionToken } from '@/lib/auth/tokens/session-token'
import { readToken } from '@/lib/auth/tokens/tokens'
import { fill, listedAsChoices } from '@/lib/messages/format'
import type { PageLanguage } from '@/lib/messages/page-words'
import { settings } from '@/lib/settings/settings'
import { readRequestContext, sessionTokenOf } from '../context/request-context'
import { callBackend } from '../remote-backend/call-backend'
import { signClientAddress } from '../remote-backend/signed-client-address'
import { readCookie } from '../request/cookies'

/** The signed-in account as `/api/i` returns it, or null. Pages rely on this, not on the proxy, for access control. */
export async function currentAccount(headers: Headers): Promise<Account | null> {
  const { backendUrl } = settings()
  if (backendUrl) return fetchRemote(headers, '/api/i', backendUrl)
  const session = await currentSession(headers)
  return session && describeAccount(session)
}

/** For a page that needs more of the session than its account. A front end has none. */
export async function currentSession(headers: Headers): Promise<Session | null> {
  const token = sessionTokenOf(headers)
  const session = await findSession(token)
  if (!session) await logIfForged(token, await readRequestContext(headers))
  return session
}

export async function passkeyInUse(headers: Headers): Promise<string | null> {
  const token = sessionTokenOf(headers)
  return (token === null ? null : await readToken('session', token))?.pk ?? null
}

/** `notable` is what the account's owner should look at. */
export interface Activity {
  signIns: EventPage
  changes: EventPage
  notable: AccountEvent[]
}

/** The activity of the account that `currentAccount` returned for these headers. */
export async function recentActivity(headers: Headers, account: Account): Promise<Activity> {
  const { backendUrl } = settings()
  const { id } = account
  const list = async (kind: EventKind) =>
    backendUrl ? fetchRemote(headers, '/api/i/events', backendUrl, { kind }) : eventsOfAccount(id, { kind })
  const [signIns, changes, notable] = await Promise.all([
    list('sign_ins'),
    list('changes'),
    notableEvents(headers, account),
  ])
  // The session may end between the page's reads.
  return { signIns: signIns ?? noEvents, changes: changes ?? noEvents, notable }
}

/** What the owner of the account that `currentAccount` returned for these headers should look at. */
export async function notableEvents(headers: Headers, { id }: Account): Promise<AccountEvent[]> {
  const { backendUrl } = settings()
  return backendUrl
    ? ((await fetchRemote(headers, '/api/i/notices', backendUrl))?.events ?? [])
    : notableEventsOfAccount(id)
}

const noEvents: EventPage = { events: [], more: false }

/** Which notices this browser has dismissed; lib/browser writes it. */
export const readNoticeMemory = (headers: Headers) => readCookie(headers, 'notices')

/** A front end has no database: there a used invitation shows the form, whose submission gets `sign_up_closed`. */
export async function maySignUp(headers: Headers, invitation: string | undefined): Promise<boolean> {
  const check = async () =>
    settings().backendUrl
      ? requireGoodInvitation(invitation === undefined ? null : await readToken('invitation', invitation))
      : requireSignUp(invitation, await readRequestContext(headers))
  return check().then(
    () => true,
    (error: unknown) => {
      if (isApiError(error) && error.code === 'sign_up_closed') return false
      throw error
    },
  )
}

/**
 * Passkey options for a page without a session; null on a front end, which does not know all of the backend's settings.
 * No rate limit: a challenge is a signed token, which costs less than its page and is stored only when used.
 */
export const passkeyOptions = async (headers: Headers) =>
  settings().backendUrl
    ? null
    : createAuthenticationOptions({ body: {}, context: { ...(await readRequestContext(headers)), session: null } })

/** The live sessions of the account that `currentAccount` returned for these headers. */
export async function liveSessions(headers: Headers, { passkeys }: Account): Promise<LiveSession[]> {
  const { backendUrl } = settings()
  if (backendUrl) return (await fetchRemote(headers, '/api/i/sessions', backendUrl))?.sessions ?? []
  const claims = await readSessionToken(sessionTokenOf(headers) ?? '')
  return claims ? sessionsOf({ claims, passkeys }) : []
}

/**
 * The result of a backend's endpoint that requires a session, or null without one and for 400 and 401; any other error
 * throws, since it is no sign-out.
 */
export async function fetchRemote<P extends PostPath>(
  headers: Headers,
  path: P,
  backendUrl: string,
  body?: Body<P>,
): Promise<Result<P> | null> {
  const token = sessionTokenOf(headers)
  // Treat a token our proxy rejects as signed out; otherwise /signin and /profile redirect to each other forever.
  if (token === null || !(await readToken('session', token))) return null
  // Only these headers: a page opened by a link from another site carries `Sec-Fetch-Site: cross-site`.
  const sent = new Headers([...headers].filter(([name]) => name === 'cookie' || name === 'authorization'))
  if (body) sent.set('Content-Type', 'application/json')
  await signClientAddress(headers, sent)
  const bytes = body && Buffer.from(JSON.stringify(body))
  const response = await callBackend(new URL(path, backendUrl), 'POST', sent, { body: bytes })
  if (response.status === 400 || response.status === 401) return null
  if (!response.ok) throw new ApiError('unavailable', { cause: `the backend answered ${response.status}` })
  return response.json()
}

export function siteInfo({ locale, words }: PageLanguage): Site {
  const { appName, origins, originConfigured, signUp, passwords, passwordMinLength, logo } = settings()
  const { homeUrl, termsUrl, privacyUrl, supportUrl } = settings()
  const { onlyAt, unconfigured } = words.failures.support
  return {
    appName,
    origins: [...origins],
    elsewhere: fill(locale, originConfigured ? onlyAt : unconfigured, {
      addresses: listedAsChoices(locale, [...origins]),
    }),
    signUp,
    passwords,
    passwordMinLength,
    logo: logo && { light: logo.light.address, dark: logo.dark?.address ?? null },
    homeUrl,
    termsUrl,
    privacyUrl,
    supportUrl,
  }
}
