import { ApiError } from '@/lib/api/errors'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { readSessionToken } from '@/lib/auth/tokens/session-token'

/**
 * Rejects a call of a page that shows another account than the session's: a browser's tabs share one session cookie, so one
 * tab can sign in to another account behind the others. Our pages name theirs in `Latchkey-Account`; other clients need not.
 * A token belongs to one account for good, so no database is asked, and the action that follows uses the same token.
 *
 * @throws ApiError different_account
 */
export async function requireExpectedAccount(headers: Headers, { session }: RequestContext): Promise<void> {
  const expected = headers.get('Latchkey-Account')
  if (expected === null || session === null) return
  const claims = await readSessionToken(session)
  if (claims && claims.sub !== expected) throw new ApiError('different_account')
}
