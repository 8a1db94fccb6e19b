import { ApiError } from '@/lib/api/errors'
import { accountHeader } from '@/lib/api/headers'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { readSessionToken } from '@/lib/auth/tokens/session-token'

/**
 * Rejects a call of a page that shows another account than the session's: tabs share one session cookie, so one tab can
 * sign in to another account behind the others. Our pages send theirs in `Latchkey-Account`; other clients need not. A
 * token names its account for good, and the action uses the same one, so no database is read. A GET changes no account.
 */
export async function requireExpectedAccount({ method, headers }: Request, { session }: RequestContext): Promise<void> {
  const expected = headers.get(accountHeader)
  if (expected === null || session === null || method === 'GET' || method === 'HEAD') return
  const claims = await readSessionToken(session)
  if (claims && claims.sub !== expected) throw new ApiError('different_account')
}
