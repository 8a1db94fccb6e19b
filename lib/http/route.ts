import { randomUUID } from 'node:crypto'
import {
  type BodyMode,
  bodyMode,
  type Endpoint,
  endpoints,
  type GetPath,
  type PostPath,
  type Result,
} from '@/lib/api/endpoints'
import { ApiError, type ErrorCode } from '@/lib/api/errors'
import { logRejection } from '@/lib/auth/log-rejection'
import { pacingRejections } from '@/lib/auth/rejection-pace'
import type { RequestContext } from '@/lib/auth/request-context'
import { settings } from '@/lib/settings/settings'
import { readBody } from './body'
import { isFromPage, requireSameOrigin } from './csrf'
import { forward } from './remote-backend/forward'
import { readRequestContext } from './request-context'
import { errorResponse, resultResponse, type WithHeaders } from './response'

/** What a handler gets of a request. */
export interface Call {
  body: unknown
  context: RequestContext
  fromPage: boolean
}

type Handle = (call: Call) => Promise<Response>
// biome-ignore lint/suspicious/noConfusingVoidType: an action without a result returns nothing.
type Outcome<R> = R extends null ? null | void | WithHeaders<null> : R | WithHeaders<R>

/**
 * The handler of a POST endpoint of lib/api/endpoints.ts, from an action that returns its result. Calling `route` or
 * `resource` marks a route file as one of ours: the build fails unless its path stands in that table.
 */
export function route<P extends PostPath>(path: P, action: (call: Call) => Promise<Outcome<Result<P>>>) {
  const endpoint: Endpoint = endpoints[path]
  const status = Number(Object.keys(endpoint.results)[0])
  const handler = requestHandler(bodyMode(endpoint), async (call) => resultResponse(status, await action(call)))
  // Before the body is read: an endpoint that is switched off says nothing of it.
  return endpoint.usesPassword
    ? (request: Request) => (settings().passwords ? handler : errorRoute('not_found'))(request)
    : handler
}

/** The handler of a GET endpoint of lib/api/endpoints.ts, which needs nothing of the request. */
export const resource = <T extends Response | Promise<Response>>(_path: GetPath, handle: () => T) => handle

/**
 * A handler for any path, such as a fork's own: it checks the request's origin, reads its body, and turns what is thrown
 * into an error response. The handler never sees the Request, so it runs wherever Web-standard requests do. On the front
 * end of a split deployment it does not run: the backend's response is passed on.
 */
export function requestHandler(mode: BodyMode, handle: Handle) {
  return async (request: Request): Promise<Response> => {
    const requestId = randomUUID()
    try {
      const { backendUrl } = settings()
      if (backendUrl) return await forward(request, mode, backendUrl)
      return withHeaders(await answer(request, mode, handle, requestId), requestId)
    } catch (error) {
      return withHeaders(errorResponse(error, requestId), requestId)
    }
  }
}

/** A handler that always fails with this code. */
export const errorRoute = (code: ErrorCode) =>
  requestHandler('ignored', async () => {
    throw new ApiError(code)
  })

function withHeaders(response: Response, requestId: string): Response {
  response.headers.set('Cache-Control', 'no-store')
  response.headers.set('X-Content-Type-Options', 'nosniff')
  response.headers.set('X-Request-Id', requestId)
  return response
}

async function answer(request: Request, mode: BodyMode, handle: Handle, requestId: string) {
  const context = await readRequestContext(request.headers, request, requestId)
  try {
    requireSameOrigin(request)
    const body = await readBody(request, mode)
    return await pacingRejections(context, () => handle({ body, context, fromPage: isFromPage(request) }))
  } catch (error) {
    await logRejection(error, context)
    throw error
  }
}
