import { logout, logoutPath } from '@/lib/openid/logout/logout'
import { readRequestContext } from '../context/request-context'
import { searchOf } from '../request/request-target'
import { renderOAuth } from '../response/oauth-response'
import { pipeline } from '../response/pipeline'
import { signedOutHeaders, signedOutHere } from '../sessions/session-headers'
import { repeatByGet, seeOther, withLocale } from './navigation'

export const logoutEndpoint = pipeline('ignored', endSession, { render: renderOAuth })

async function endSession(request: Request, requestId: string): Promise<Response> {
  const query = new URLSearchParams(searchOf(request.url))
  const outcome = await logout(query, await readRequestContext(request.headers, { request, requestId }))
  if (outcome.kind === 'confirmation')
    return seeOther(withLocale(outcome.path, (query.get('ui_locales') ?? '').split(' '), request.headers))
  const { ended, returnTo } = outcome
  const response = seeOther(returnTo ?? signedOutHere)
  for (const [name, value] of signedOutHeaders(ended, returnTo)) response.headers.append(name, value)
  return response
}

export const repeatLogout = repeatByGet(logoutPath)
