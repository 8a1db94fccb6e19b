import { randomUUID } from 'node:crypto'
import type { BodyMode } from '@/lib/api/endpoints'
import type { Locale } from '@/lib/messages/locales'
import { recorder } from '@/lib/process/telemetry'
import { settings } from '@/lib/settings/settings'
import { localeOf } from './language'
import { ownHeaders } from './own-headers'
import { forward } from './remote-backend/forward'
import { CompleteResponse, errorResponse } from './response'

type Respond = (request: Request, requestId: string) => Promise<Response>

/**
 * A handler that turns what is thrown into an error response. On a front end, the backend's response is passed on.
 *
 * @param finish adds headers to every response but a complete one and the backend's
 */
export function answering(
  mode: BodyMode,
  respond: Respond,
  finish: (response: Response, request: Request) => Response = (response) => response,
) {
  return async (request: Request): Promise<Response> => {
    const requestId = randomUUID()
    recorder()?.nameRequest(requestId)
    try {
      const { backendUrl } = settings()
      if (backendUrl) return withRemoteName(await forward(request, mode, backendUrl))
      const response = await respond(request, requestId)
      return response instanceof CompleteResponse ? response : withHeaders(finish(response, request), requestId)
    } catch (error) {
      return withHeaders(finish(errorResponse(error, localeOrEnglish(request.headers), requestId), request), requestId)
    }
  }
}

/** Where the settings are what is wrong, nothing says which language is. */
function localeOrEnglish(headers: Headers): Locale {
  try {
    return localeOf(headers)
  } catch {
    return 'en'
  }
}

/** Both sides of a split deployment know a request by the backend's id. */
function withRemoteName(response: Response): Response {
  const requestId = response.headers.get('X-Request-Id')
  if (requestId !== null) recorder()?.nameRequest(requestId)
  return response
}

export function withHeaders(response: Response, requestId: string): Response {
  for (const [name, value] of ownHeaders(requestId)) response.headers.set(name, value)
  return response
}
