import type { AccountEvent, AllowedApp, EventKind, EventPage, LiveSession } from '@/lib/api/schemas'
import { eventsOfAccount } from '@/lib/auth/account/events/list-events'
import { notableEventsOfAccount } from '@/lib/auth/account/events/notable-events'
import { describeSessions } from '@/lib/auth/sessions/list-sessions'
import { appsOf } from '@/lib/openid/grants/granted-apps'
import { type SignedIn, sessionClaims } from './current-account'
import { loadLocallyOrRemotely } from './load-data'

export interface Activity {
  signIns: EventPage
  changes: EventPage
  /** What the account's owner should look at */
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

export async function allowedApps({ headers, account }: SignedIn): Promise<AllowedApp[]> {
  const locally = async () => ({ apps: await appsOf(account.id) })
  return (await loadLocallyOrRemotely({ path: '/api/i/apps', headers }, locally))?.apps ?? []
}
