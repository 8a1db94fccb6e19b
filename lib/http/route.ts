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
import type { RequestContext } from '@/lib/auth/request-context'
import { settings } from '@/lib/settings/settings'
import { readBody } from './body'
import { clientOrigin, isPreflight, preflightResponse, withCors } from './cross-origin'
import { isFromPage, requireSameOrigin } from './csrf'
import { forward } from './remote-backend/forward'
import { readRequestContext } from './request-context'
import { errorResponse, resultResponse, type WithHeaders } from './response'

/** What a handler gets of a request. */
export interface Call {
  body: unknown
  context: RequestContext
  fromPage: boolean
  /** Of the page that asks, if it is one of another app that may. */
  clientOrigin: string | null
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
  return requestHandler(bodyMode(endpoint), async (call) => resultResponse(status, await action(call)), endpoint)
}

/** The handler of OPTIONS at an endpoint with `crossOrigin`. */
export const preflight = answering('ignored', async (request) => {
  const origin = clientOrigin(request)
  if (origin !== null && isPreflight(request)) return withCors(preflightResponse(), origin)
  requireSameOrigin(request)
  const response = errorResponse(new ApiError('method_not_allowed'))
  response.headers.set('Allow', 'POST')
  return response
})

/** The handler of a GET endpoint of lib/api/endpoints.ts. */
export const resource = <T extends Response | Promise<Response>>(_path: GetPath, handle: (request: Request) => T) =>
  handle

/**
 * A handler for any path, such as a fork's own: it checks the request's origin, reads its body, and turns what is thrown
 * into an error response. The handler never sees the Request, so it runs wherever Web-standard requests do. On the front
 * end of a split deployment it does not run: the backend's response is passed on.
 *
 * @param crossOrigin whether pages of CLIENT_ORIGINS may call it, too
 */
export function requestHandler(
  mode: BodyMode,
  handle: Handle,
  { crossOrigin = false }: { crossOrigin?: boolean } = {},
) {
  if (!crossOrigin) return answering(mode, (request) => answer(request, mode, handle, null))
  const respond = (request: Request) => answer(request, mode, handle, clientOrigin(request))
  return answering(mode, respond, (response, request) => withCors(response, clientOrigin(request)))
}

type Respond = (request: Request) => Promise<Response>

/**
 * A handler that turns what is thrown into an error response. On a front end, the backend's response is passed on.
 *
 * @param finish adds headers to every response but the backend's
 */
export function answering(
  mode: BodyMode,
  respond: Respond,
  finish: (response: Response, request: Request) => Response = (response) => response,
) {
  return async (request: Request): Promise<Response> => {
    const requestId = randomUUID()
    try {
      const { backendUrl } = settings()
      if (backendUrl) return await forward(request, mode, backendUrl)
      return withHeaders(finish(await respond(request), request), requestId)
    } catch (error) {
      return withHeaders(finish(errorResponse(error, requestId), request), requestId)
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

async function answer(request: Request, mode: BodyMode, handle: Handle, origin: string | null) {
  if (origin === null) requireSameOrigin(request)
  const body = await readBody(request, mode)
  const context = await readRequestContext(request.headers)
  return handle({ body, context, fromPage: isFromPage(request), clientOrigin: origin })
}
