import type { PostPath, PostResult } from '@/lib/api/endpoints'
import { isApiError } from '@/lib/api/errors'
import type { Account } from '@/lib/api/schemas'
import { describeAccount } from '@/lib/auth/account/describe-account'
import type { Session } from '@/lib/auth/sessions/find-session'
import { rootOf } from '@/lib/auth/tokens/claims'
import { settings } from '@/lib/settings/settings'
import { fetchRemote, type PageCall } from '../remote-backend/fetch-remote'
import { currentAccount, currentSession, sessionClaims } from './current-account'
import { orUnavailable } from './unavailable'

/** What a page shows of an app's request, and the account that the page is for. */
export interface RequestToConfirm<R> {
  account: Account
  request: R
}

/** Null without a session, or if the request is another session's, has expired or was consumed. */
export async function loadRequestToConfirm<P extends PostPath>(
  call: PageCall<P>,
  describe: (session: Session) => Promise<PostResult<P>>,
): Promise<RequestToConfirm<PostResult<P>> | null> {
  const { headers } = call
  const { backendUrl } = settings()
  if (backendUrl) {
    const remotely = () => fetchRemote(backendUrl, call)
    const [account, request] = await Promise.all([currentAccount(headers), orUnavailable(remotely)])
    return account && request && { account, request }
  }
  return orUnavailable(async () => {
    const session = await currentSession(headers)
    const request = session && (await describe(session).catch(nullIfInvalid))
    return request && { account: describeAccount(session), request }
  })
}

function nullIfInvalid(error: unknown): null {
  if (isApiError(error) && error.code === 'invalid_request') return null
  throw error
}

/** Null without a session, and for one that was revoked, which its token alone does not show. */
export async function rootOfSession(headers: Headers): Promise<string | null> {
  const claims = await sessionClaims(headers)
  return claims && (await currentAccount(headers)) && rootOf(claims)
}
