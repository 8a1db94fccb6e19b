import type { SignOutRequest } from '@/lib/api/schemas'
import { readToken } from '@/lib/auth/tokens/tokens'
import { describeLogout, logoutPath } from '@/lib/openid/logout/logout'
import { loadRequestToConfirm, type RequestToConfirm, rootOfSession } from './request-to-confirm'

export const loadSignOutRequest = (headers: Headers, token: string): Promise<RequestToConfirm<SignOutRequest> | null> =>
  loadRequestToConfirm({ path: '/api/oauth/logout/request', headers, body: { request: token } }, (session) =>
    describeLogout({ body: { request: token }, session }),
  )

/**
 * Where the logout begins again: for another session's token, without a token, or when nobody is signed in. Null for this
 * session's token, or one that cannot be read.
 */
export async function restartLogoutPath(headers: Headers, token: string): Promise<string | null> {
  const request = token === '' ? null : await readToken('sign-out-request', token)
  const root = await rootOfSession(headers)
  if (!request) return root !== null && token !== '' ? null : logoutPath
  return request.sid !== root ? `${logoutPath}?${request.query}` : null
}
