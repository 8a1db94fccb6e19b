import { type AdminPath, type AdminResult, carryOut } from '@/lib/admin/actions'
import type { PostBody } from '@/lib/api/endpoints'
import type { adminEndpoints } from '@/lib/api/endpoints/admin'
import { isApiError } from '@/lib/api/errors'
import { administrators } from '@/lib/api/names'
import type { Account } from '@/lib/api/schemas'
import { administratorOperator } from '@/lib/auth/operator/operator'
import { fetchRemote } from '../remote-backend'
import { opensAdministration } from '../request/caller'
import { readRequestContext } from '../request/context'
import { currentAccount, loadFrom, SignedIn, sessionClaims } from './load'

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

const isAdministrator = (account: Account | null): boolean => account?.groups.includes(administrators) ?? false

/** A page only reads: its request comes by a link, and so without a step-up. */
export type ReadPath = {
  [P in AdminPath]: (typeof adminEndpoints)[`POST /api/admin${P}`]['rights']['writes'] extends false ? P : never
}[AdminPath]

/** Proof that a page is an administrator's whose session may administer. */
export class Administration {
  readonly #signedIn: SignedIn

  private constructor(signedIn: SignedIn) {
    this.#signedIn = signedIn
  }

  /** @returns null for nobody, `locked` for an administrator whose session takes a passkey first */
  static async find(
    headers: Headers,
  ): Promise<{ signedIn: SignedIn; administration: Administration | 'locked' } | null> {
    const signedIn = await SignedIn.find(headers)
    if (!signedIn || !isAdministrator(signedIn.account)) return null
    // The call that found the account has seen that the session's passkey still exists.
    const claims = await sessionClaims(headers)
    const isOpen = claims !== null && opensAdministration(claims)
    return { signedIn, administration: isOpen ? new Administration(signedIn) : 'locked' }
  }

  /** What the endpoint answers; null for what is not there, and for a parameter of the address that it rejects. */
  load<P extends ReadPath>(path: P, body: PostBody<`/api/admin${P}`>): Promise<AdminResult<P> | null> {
    const { headers, account } = this.#signedIn
    return loadFrom<AdminResult<P> | null>(
      (backendUrl) => fetchRemote(backendUrl, `/api/admin${path}`, headers, body),
      async () => {
        const operator = administratorOperator(account.id, false, await readRequestContext(headers))
        return carryOut(operator, path, body).catch((error: unknown) => {
          if (isApiError(error) && (error.code === 'not_found' || error.code === 'invalid_request')) return null
          throw error
        })
      },
    )
  }
}
