import { ApiError } from '@/lib/api/errors'
import { accountHeader } from '@/lib/api/headers'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { readSessionToken } from '@/lib/auth/tokens/session-token'

/**
 * Rejects calls of a page that shows another account than the session's: tabs share one cookie, so one tab can sign in
 * to another account behind the others. A GET changes no account. Reads no database: a token's account never changes.
 */
export async function requireExpectedAccount({ method, headers }: Request, { session }: RequestContext): Promise<void> {
  const expected = headers.get(accountHeader)
  if (expected === null || session === null || method === 'GET' || method === 'HEAD') return
  const claims = await readSessionToken(session)
  if (claims && claims.sub !== expected) throw new ApiError('different_account')
}
