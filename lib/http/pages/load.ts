import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostPath, PostResult } from '@/lib/api/endpoints'
import { ApiError, type ErrorCode, isApiError } from '@/lib/api/errors'
import { administrators } from '@/lib/api/names'
import type { Account, AccountEvent, AllowedApps, EventKind, EventPage, LiveSession } from '@/lib/api/schemas'
import { describeAccount } from '@/lib/auth/accounts/describe'
import { requireSignUp, requireValidInvitation } from '@/lib/auth/accounts/sign-up'
import { eventsOfAccount, notableEventsOfAccount } from '@/lib/auth/audit/activity'
import { logIfForged } from '@/lib/auth/audit/rejections'
import { createAuthenticationOptions } from '@/lib/auth/passkeys/authentication'
import { findSession, type Session } from '@/lib/auth/sessions/find'
import { describeSessions } from '@/lib/auth/sessions/list'
import { readSessionToken, type SessionClaims } from '@/lib/auth/tokens/session-token'
import { readToken } from '@/lib/auth/tokens/tokens'
import { isUnavailable } from '@/lib/database/errors'
import { reportUnavailable } from '@/lib/database/write-probe'
import { appsOf } from '@/lib/openid/apps/grants'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { fetchRemote, type PageCall } from '../remote-backend'
import { readRequestContext, sessionTokenOf } from '../request/context'

/** Next passes an error's digest to app/error.tsx, and nothing else of it. */
const digest: ErrorCode = 'unavailable'

const renderUnderWay = () => singleton('render-under-way', () => new AsyncLocalStorage<{ wasUnavailable: boolean }>())

/** Runs a render, and lets it ask whether `orUnavailable` has thrown in it so far. */
export function watchRender<R>(render: (wasUnavailable: () => boolean) => R): R {
  const state = { wasUnavailable: false }
  return renderUnderWay().run(state, () => render(() => state.wasUnavailable))
}

/** Loads data for a page. Logs an unavailable database or backend as such, not as a bug of the page. */
async function orUnavailable<T>(load: () => Promise<T>): Promise<T> {
  const render = renderUnderWay().getStore()
  // Next renders the title once more for its error page: that load would wait just as long.
  if (render?.wasUnavailable) throw pageUnavailable()
  try {
    return await load()
  } catch (error) {
    if (isPageUnavailable(error)) throw error
    if (isUnavailable(error)) reportUnavailable(error)
    // The call of the backend, or the backend itself, has logged this.
    else if (!(isApiError(error) && error.code === 'unavailable')) throw error
    if (render) render.wasUnavailable = true
    throw pageUnavailable()
  }
}

const pageUnavailable = () => Object.assign(new ApiError('unavailable'), { digest })

/** True for an error that `orUnavailable` has thrown. */
export const isPageUnavailable = (error: unknown): boolean =>
  isApiError(error) && 'digest' in error && error.digest === digest

/** On a front end, calls the backend's endpoint; elsewhere runs `locally`. */
export function loadLocallyOrRemotely<P extends PostPath>(
  call: PageCall<P>,
  locally: () => Promise<PostResult<P> | null>,
): Promise<PostResult<P> | null> {
  const { backendUrl } = settings()
  return orUnavailable(() => (backendUrl ? fetchRemote(backendUrl, call) : locally()))
}

/** The account as `/api/i` returns it. Pages rely on this, not on the proxy, for access control. */
export const currentAccount = (headers: Headers): Promise<Account | null> =>
  loadLocallyOrRemotely({ path: '/api/i', headers }, async () => {
    const session = await currentSession(headers)
    return session && describeAccount(session)
  })

/** Whether the operators' pages are hidden from who asks: nobody else may learn that there are such pages. */
export async function hidesAdministration(headers: Headers): Promise<boolean> {
  if (!(await sessionClaims(headers))) return true
  try {
    return !isAdministrator(await currentAccount(headers))
  } catch {
    // The page says that the service is busy.
    return false
  }
}

export const isAdministrator = (account: Account | null): boolean => account?.groups.includes(administrators) ?? false

/** Proof that a page has checked access: only `find` makes one, so a function that takes it runs after the check. */
export class SignedIn {
  readonly headers: Headers
  // The private field keeps TypeScript from taking an object of the same shape for one.
  readonly #account: Account

  private constructor(headers: Headers, account: Account) {
    this.headers = headers
    this.#account = account
  }

  get account() {
    return this.#account
  }

  static async find(headers: Headers): Promise<SignedIn | null> {
    const account = await currentAccount(headers)
    return account && new SignedIn(headers, account)
  }
}

/** The session, for pages that need more than the account. A front end has none. */
export async function currentSession(headers: Headers): Promise<Session | null> {
  const token = sessionTokenOf(headers)
  const session = await findSession(token)
  if (!session) await logIfForged(token, await readRequestContext(headers))
  return session
}

/** Reads the token without the database: somebody may have revoked the session. */
export const sessionClaims = async (headers: Headers): Promise<SessionClaims | null> =>
  readSessionToken(sessionTokenOf(headers) ?? '')

export const passkeyInUse = async (headers: Headers): Promise<string | null> =>
  (await sessionClaims(headers))?.pk ?? null

interface Activity {
  signIns: EventPage
  changes: EventPage
  /** Events that the account's owner should look at */
  notable: AccountEvent[]
}

export async function recentActivity(signedIn: SignedIn): Promise<Activity> {
  const { headers, account } = signedIn
  const list = (kind: EventKind) =>
    loadLocallyOrRemotely({ path: '/api/i/events', headers, body: { kind } }, () =>
      eventsOfAccount(account.id, { kind }),
    )
  const [signIns, changes, notable] = await Promise.all([list('sign_ins'), list('changes'), notableEvents(signedIn)])
  // The session may end between the page's reads.
  return { signIns: signIns ?? noEvents, changes: changes ?? noEvents, notable }
}

export async function notableEvents({ headers, account }: SignedIn): Promise<AccountEvent[]> {
  const locally = async () => ({ events: await notableEventsOfAccount(account.id) })
  return (await loadLocallyOrRemotely({ path: '/api/i/notices', headers }, locally))?.events ?? []
}

const noEvents: EventPage = { events: [], more: false }

export async function liveSessions({ headers }: SignedIn): Promise<LiveSession[]> {
  const locally = async () => {
    const claims = await sessionClaims(headers)
    return claims && { sessions: await describeSessions({ claims }) }
  }
  return (await loadLocallyOrRemotely({ path: '/api/i/sessions', headers }, locally))?.sessions ?? []
}

export async function allowedApps({ headers, account }: SignedIn): Promise<AllowedApps> {
  const locally = () => appsOf(account)
  return { apps: [], tiles: [], ...(await loadLocallyOrRemotely({ path: '/api/i/apps', headers }, locally)) }
}

/**
 * Null on a front end, which does not know all of the backend's settings. Needs no rate limit: a challenge is a signed token,
 * which costs less than its page and takes a row only once somebody uses it.
 */
export const passkeyOptions = async () =>
  settings().backendUrl ? null : createAuthenticationOptions({ body: { anyAccount: true }, context: { session: null } })

/** A front end cannot see whether somebody has used the invitation: submitting the form then gets `sign_up_closed`. */
export async function maySignUp(headers: Headers, invitation: string | undefined): Promise<boolean> {
  const check = async () =>
    settings().backendUrl
      ? requireValidInvitation(invitation === undefined ? null : await readToken('invitation', invitation))
      : requireSignUp(invitation, await readRequestContext(headers))
  return orUnavailable(check).then(
    () => true,
    (error: unknown) => {
      if (isApiError(error) && error.code === 'sign_up_closed') return false
      throw error
    },
  )
}
