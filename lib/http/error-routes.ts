import { type Endpoint, methodsByPath, type Path, rows } from '@/lib/api/endpoints'
import { ApiError, type ErrorCode } from '@/lib/api/errors'
import { settings } from '@/lib/settings/settings'
import { checkedHandler } from './checked-handler'
import { callers } from './identity/identify-caller'
import { originRules } from './origin/cross-origin'
import type { Handler } from './pipeline'
import { requestHandler } from './request-handler'
import { newRequestId, withApiHeaders } from './response/api-headers'
import { errorResponse, type RenderError } from './response/error-response'
import { oauthErrorResponse } from './response/oauth-response'

const fail = (code: ErrorCode) => async () => {
  throw new ApiError(code)
}

/** A front end forwards the request, and its backend answers the same. */
export const errorRoute = (code: ErrorCode) => requestHandler('ignored', fail(code))

/** For what a front end does not forward. */
function errorHere(code: ErrorCode, request: Request): Response {
  const requestId = newRequestId()
  return withApiHeaders(errorResponse(new ApiError(code), request.headers, requestId), requestId)
}

/** A front end forwards no unknown path: its backend's proxy may decode `/api/..%2fmetrics` another way. */
export const notFound = (request: Request) =>
  settings().backendUrl ? errorHere('not_found', request) : errorRoute('not_found')(request)

/** Rejects a method that the table does not list at the path, in the format that the path's errors have. */
export function methodNotAllowed(path: Path): Handler {
  const allow = methodsByPath[path].join(', ')
  const reject = wrongMethodRoute(path)
  return async (request) => {
    const response = await reject(request)
    if (response.status === 405) response.headers.set('Allow', allow)
    return response
  }
}

function wrongMethodRoute(path: Path): Handler {
  const code = 'method_not_allowed'
  // A front end forwards wrong methods below /api only.
  if (!path.startsWith('/api/')) return (request) => errorHere(code, request)
  const endpoint = oauthEndpointAt(path)
  if (!endpoint) return errorRoute(code)
  const rule = originRules[endpoint.origin ?? 'own']
  return checkedHandler('ignored', fail(code), { rule, identify: callers.anyone, render: oauthErrorResponse })
}

const oauthEndpointAt = (path: string): Endpoint | undefined => rows.find((row) => row.path === path && row.oauth)

/** What makes the error responses at a path. */
export const errorResponseAt = (path: string): RenderError =>
  oauthEndpointAt(path) ? oauthErrorResponse : errorResponse
