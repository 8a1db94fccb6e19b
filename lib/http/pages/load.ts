import type { AccountEvent, AllowedApps, EventKind, EventPage, LiveSession } from '@/lib/api/schemas'
import { eventsOfAccount, notableEventsOfAccount } from '@/lib/auth/audit/activity'
import { createAuthenticationOptions } from '@/lib/auth/passkeys/authentication'
import { describeSessions } from '@/lib/auth/sessions/list'
import { appsOf } from '@/lib/openid/apps/apps-of-person'
import { settings } from '@/lib/settings/settings'
import { type SignedIn, sessionClaims } from './access'
import { loadLocallyOrRemotely } from './unavailable'

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
