import type { PostBody, PostPath, PostResult } from '@/lib/api/endpoints'
import type { Account, AccountEvent, AllowedApps, EventKind, EventPage, LiveSession } from '@/lib/api/schemas'
import { listEvents, listNotableEvents } from '@/lib/auth/accounts/activity'
import { logIfForged } from '@/lib/auth/events/rejections'
import { createAuthenticationOptions } from '@/lib/auth/passkeys/authentication'
import type { RequestContext } from '@/lib/auth/request'
import { describeAccount, findSession, type Session } from '@/lib/auth/sessions/find'
import { listSessions } from '@/lib/auth/sessions/list'
import { readSessionToken, type SessionClaims } from '@/lib/auth/tokens/tokens'
import { listAppsOfPerson } from '@/lib/openid/apps/grants'
import { describeLogout } from '@/lib/openid/logout'
import { describeRequest } from '@/lib/openid/requests/consent'
import { describeDevice } from '@/lib/openid/requests/devices'
import { settings } from '@/lib/settings/settings'
import { fetchRemote } from '../remote-backend'
import { readRequestContext, sessionTokenOf } from '../request/context'
import { orUnavailable } from './unavailable'

interface Call<P extends PostPath> {
  session: Session
  body: PostBody<P>
  context: RequestContext
}

type LoadedPath =
  | `/api/i${'' | '/apps' | '/events' | '/notices' | '/sessions'}`
  | `/api/oauth/${'' | 'device/' | 'logout/'}request`

/** What pages load with the visitor's session: the actions of these endpoints, which a front end calls at its backend. */
const actions: { [P in LoadedPath]: (call: Call<P>) => PostResult<P> | Promise<PostResult<P>> } = {
  '/api/i': ({ session }) => describeAccount(session),
  '/api/i/apps': listAppsOfPerson,
  '/api/i/events': listEvents,
  '/api/i/notices': listNotableEvents,
  '/api/i/sessions': listSessions,
  '/api/oauth/request': describeRequest,
  '/api/oauth/device/request': describeDevice,
  '/api/oauth/logout/request': describeLogout,
}

/** Loads the result of an endpoint; null without a session. */
export const load = <P extends LoadedPath>(
  headers: Headers,
  path: P,
  body: PostBody<P>,
): Promise<PostResult<P> | null> =>
  loadFrom(
    (backendUrl) => fetchRemote(backendUrl, path, headers, body),
    async () => {
      const session = await currentSession(headers)
      return session && actions[path]({ session, body, context: await readRequestContext(headers) })
    },
  )

/** On a front end asks the backend, elsewhere runs `locally`. */
export function loadFrom<T>(remotely: (backendUrl: string) => Promise<T>, locally: () => Promise<T>): Promise<T> {
  const { backendUrl } = settings()
  return orUnavailable(() => (backendUrl ? remotely(backendUrl) : locally()))
}

/** The account as `/api/i` returns it. Pages rely on this, not on the proxy, for access control. */
export const currentAccount = (headers: Headers): Promise<Account | null> => load(headers, '/api/i', undefined)

const sessions = new WeakMap<Headers, Promise<Session | null>>()

/** Finds the session once for all that a page loads by its request's headers. A front end has none. */
function currentSession(headers: Headers): Promise<Session | null> {
  const session = sessions.get(headers) ?? findOrLog(headers)
  sessions.set(headers, session)
  return session
}

async function findOrLog(headers: Headers): Promise<Session | null> {
  const token = sessionTokenOf(headers)
  const session = await findSession(token)
  if (!session) await logIfForged(token, await readRequestContext(headers))
  return session
}

/** Reads the token without the database: somebody may have revoked the session. */
export const sessionClaims = async (headers: Headers): Promise<SessionClaims | null> =>
  readSessionToken(sessionTokenOf(headers) ?? '')

/**
 * Null on a front end, which does not know all of the backend's settings. Needs no rate limit: a challenge is a signed token,
 * which costs less than its page and takes a row only once somebody uses it.
 */
export const passkeyOptions = async () =>
  settings().backendUrl ? null : createAuthenticationOptions({ body: { anyAccount: true }, context: { session: null } })

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

/* What pages show of the account. Each may find the session ended, which it was not when the page found it. */

/**
 * An app without a front page opens where its tile does; apps' names are unique. Joins here, because a front end has the answer
 * of its backend and no rows.
 */
export async function allowedApps({ headers }: SignedIn): Promise<AllowedApps> {
  const { apps, tiles } = (await load(headers, '/api/i/apps', undefined)) ?? { apps: [], tiles: [] }
  const urls = new Map(tiles.map(({ name, url }) => [name, url]))
  return { apps: apps.map((app) => ({ ...app, homeUrl: app.homeUrl ?? urls.get(app.name) ?? null })), tiles }
}

export async function liveSessions({ headers }: SignedIn): Promise<LiveSession[]> {
  return (await load(headers, '/api/i/sessions', undefined))?.sessions ?? []
}

/** The events that the account's owner should look at. */
export async function notableEvents({ headers }: SignedIn): Promise<AccountEvent[]> {
  return (await load(headers, '/api/i/notices', undefined))?.events ?? []
}

interface Activity {
  signIns: EventPage
  changes: EventPage
  notable: AccountEvent[]
}

export async function recentActivity(signedIn: SignedIn): Promise<Activity> {
  const list = async (kind: EventKind) =>
    (await load(signedIn.headers, '/api/i/events', { kind })) ?? { events: [], more: false }
  const [signIns, changes, notable] = await Promise.all([list('sign_ins'), list('changes'), notableEvents(signedIn)])
  return { signIns, changes, notable }
}

export const passkeyInUse = async (headers: Headers): Promise<string | null> =>
  (await sessionClaims(headers))?.pk ?? null
