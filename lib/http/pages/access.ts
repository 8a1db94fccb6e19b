import { administrators } from '@/lib/api/names'
import type { Account } from '@/lib/api/schemas'
import { logIfForged } from '@/lib/auth/audit/rejections'
import { describeAccount, findSession, type Session } from '@/lib/auth/sessions/find'
import { readSessionToken, type SessionClaims } from '@/lib/auth/tokens/tokens'
import { readRequestContext, sessionTokenOf } from '../request/context'
import { loadLocallyOrRemotely } from './unavailable'

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
