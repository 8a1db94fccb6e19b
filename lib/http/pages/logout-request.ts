import type { SignOutRequest } from '@/lib/api/schemas'
import { readToken } from '@/lib/auth/tokens/tokens'
import { describeLogout, logoutPath } from '@/lib/openid/logout/logout'
import { fetchRemote } from '../remote-backend/fetch-remote'
import { type ForAccount, forAccount, rootOfSession } from './request-of-session'

export const loadSignOutRequest = (headers: Headers, token: string): Promise<ForAccount<SignOutRequest> | null> =>
  forAccount(
    headers,
    (backendUrl) => fetchRemote(backendUrl, { path: '/api/oauth/logout/request', headers, body: { request: token } }),
    (session) => describeLogout({ body: { request: token }, session }),
  )

/** Restarts another session's logout, or starts one without a token; null if the token is this session's. */
export async function restartLogoutPath(headers: Headers, token: string): Promise<string | null> {
  const request = token === '' ? null : await readToken('sign-out-request', token)
  const root = await rootOfSession(headers)
  if (!request) return root !== null && token !== '' ? null : logoutPath
  return request.sid !== root ? `${logoutPath}?${request.query}` : null
}
