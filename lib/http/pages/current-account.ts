import type { Account } from '@/lib/api/schemas'
import { describeAccount } from '@/lib/auth/account/describe-account'
import { logIfForged } from '@/lib/auth/audit/log-rejection'
import { findSession, type Session } from '@/lib/auth/sessions/find-session'
import { readSessionToken, type SessionClaims } from '@/lib/auth/tokens/session-token'
import { readRequestContext } from '../context/request-context'
import { sessionTokenOf } from '../request/session-token'
import { loadLocallyOrRemotely } from './load-data'

/** As `/api/i` returns it. Pages rely on this, not on the proxy, for access control. */
export const currentAccount = (headers: Headers): Promise<Account | null> =>
  loadLocallyOrRemotely({ path: '/api/i', headers }, async () => {
    const session = await currentSession(headers)
    return session && describeAccount(session)
  })

/** Who a page is for. `find` alone makes one, so whatever takes it runs after access was checked. */
export class SignedIn {
  readonly headers: Headers
  // With a private field, no object of the same shape passes for one.
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

/** For pages that need more than the account. A front end has no sessions. */
export async function currentSession(headers: Headers): Promise<Session | null> {
  const token = sessionTokenOf(headers)
  const session = await findSession(token)
  if (!session) await logIfForged(token, await readRequestContext(headers))
  return session
}

/** Reads no database: the session may have been revoked. */
export const sessionClaims = async (headers: Headers): Promise<SessionClaims | null> =>
  readSessionToken(sessionTokenOf(headers) ?? '')

export const passkeyInUse = async (headers: Headers): Promise<string | null> =>
  (await sessionClaims(headers))?.pk ?? null
