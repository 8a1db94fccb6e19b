import type { Account, AccountEvent, AllowedApps, EventKind, EventPage, LiveSession } from '@/lib/api/schemas'
import { currentAccount, load, sessionClaims } from './load'

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

export async function allowedApps({ headers }: SignedIn): Promise<AllowedApps> {
  return (await load(headers, '/api/i/apps', undefined)) ?? { apps: [], tiles: [] }
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
