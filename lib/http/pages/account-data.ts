import type { Account, AccountEvent, AllowedApp, EventKind, EventPage, LiveSession } from '@/lib/api/schemas'
import { eventsOfAccount, notableEventsOfAccount } from '@/lib/auth/account/list-events'
import { sessionsOf } from '@/lib/auth/sessions/list-sessions'
import { appsOf } from '@/lib/openid/grants/granted-apps'
import { locallyOrRemote } from '../remote-backend/fetch-remote'
import { readCookie } from '../request/cookies'
import { sessionClaims } from './current-account'

export interface Activity {
  signIns: EventPage
  changes: EventPage
  /** What the account's owner should look at */
  notable: AccountEvent[]
}

/* Each function relies on `currentAccount` having returned an account for the headers. */

export async function recentActivity(headers: Headers, account: Account): Promise<Activity> {
  const list = (kind: EventKind) =>
    locallyOrRemote({ path: '/api/i/events', headers, body: { kind } }, () => eventsOfAccount(account.id, { kind }))
  const [signIns, changes, notable] = await Promise.all([
    list('sign_ins'),
    list('changes'),
    notableEvents(headers, account),
  ])
  // The session may end between the page's reads.
  return { signIns: signIns ?? noEvents, changes: changes ?? noEvents, notable }
}

export async function notableEvents(headers: Headers, { id }: Account): Promise<AccountEvent[]> {
  const locally = async () => ({ events: await notableEventsOfAccount(id) })
  return (await locallyOrRemote({ path: '/api/i/notices', headers }, locally))?.events ?? []
}

const noEvents: EventPage = { events: [], more: false }

/** Which notices this browser has dismissed; lib/browser writes it. */
export const readNoticeMemory = (headers: Headers) => readCookie(headers, 'notices')

export async function liveSessions(headers: Headers): Promise<LiveSession[]> {
  const locally = async () => {
    const claims = await sessionClaims(headers)
    return claims && { sessions: await sessionsOf({ claims }) }
  }
  return (await locallyOrRemote({ path: '/api/i/sessions', headers }, locally))?.sessions ?? []
}

export async function allowedApps(headers: Headers, { id }: Account): Promise<AllowedApp[]> {
  const locally = async () => ({ apps: await appsOf(id) })
  return (await locallyOrRemote({ path: '/api/i/apps', headers }, locally))?.apps ?? []
}
