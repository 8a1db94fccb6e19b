import { OAuthError } from '@/lib/api/oauth-errors'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { logout, logoutPath } from '@/lib/openid/logout/logout'
import { searchOf } from '../request/request-target'
import { seeOther } from '../response/see-other'
import { afterLogoutPath, signedOutHeaders } from '../sessions/session-headers'
import { repeatByGet, targetOf } from './openid-navigation'

export async function logoutEndpoint(request: Request, context: RequestContext): Promise<Response> {
  const outcome = await logout(new URLSearchParams(searchOf(request.url)), context)
  if (outcome.kind === 'confirmation') {
    const target = targetOf(outcome.path, outcome.uiLocales)
    if (target === null) throw new OAuthError('invalid_request', 'The request is too long.')
    return seeOther(target)
  }
  const { ended, returnTo } = outcome
  const response = seeOther(returnTo ?? afterLogoutPath)
  for (const [name, value] of signedOutHeaders({ ended, showsMessage: returnTo === null }))
    response.headers.append(name, value)
  return response
}

export const repeatLogout = repeatByGet(logoutPath)
