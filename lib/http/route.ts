import { randomUUID } from 'node:crypto'
import { type BodyMode, bodyMode, type Endpoint, endpoints, type Operation, type ResultOf } from '@/lib/api/endpoints'
import { ApiError, type ErrorCode } from '@/lib/api/errors'
import { logRejection } from '@/lib/auth/log-rejection'
import { paceRejection } from '@/lib/auth/rejection-pace'
import type { Locale } from '@/lib/messages/locales'
import { recorder } from '@/lib/process/telemetry'
import { settings } from '@/lib/settings/settings'
import { readBody } from './body'
import { type Call, IncomingCall } from './call'
import { clientOrigin, corsHeaders, isPreflight, preflightResponse, withCors } from './cross-origin'
import { requireSameOrigin } from './csrf'
import { localeOf } from './language'
import { ownHeaders } from './own-headers'
import { forward } from './remote-backend/forward'
import { readRequestContext } from './request-context'
import { CompleteResponse, errorResponse, type Header, resultResponse, type WithHeaders } from './response'

type Handle = (call: Call) => Promise<Response>
// biome-ignore lint/suspicious/noConfusingVoidType: an action without a result returns nothing.
type Outcome<R> = R extends null ? null | void | WithHeaders<null> : R | WithHeaders<R>

/** The handler of an operation, which it carries: the build fails unless its route file is where the table says. */
type Handler = ((request: Request) => Response | Promise<Response>) & { operation: Operation }

const handlerOf = (operation: Operation, handle: (request: Request) => Response | Promise<Response>): Handler =>
  Object.assign((request: Request) => handle(request), { operation })

/** The handler of an operation of lib/api/endpoints.ts, from an action that returns its result. */
export function route<O extends Operation>(operation: O, action: (call: Call) => Promise<Outcome<ResultOf<O>>>) {
  const endpoint: Endpoint | undefined = endpoints[operation]
  // The build calls this and checks no types.
  if (!endpoint) throw new Error(`lib/api/endpoints.ts does not list ${operation}.`)
  const status = Number(Object.keys(endpoint.results)[0])
  const cors = (call: Call): Header[] => (endpoint.crossOrigin ? corsHeaders(call.clientOrigin) : [])
  const respond = async (call: Call) => resultResponse(status, await action(call), call.context.requestId, cors(call))
  const handler = requestHandler(bodyMode(endpoint), respond, endpoint)
  // Before the body is read: an endpoint that is switched off says nothing of it.
  return handlerOf(operation, (request) =>
    (endpoint.usesPassword && !settings().passwords ? errorRoute('not_found') : handler)(request),
  )
}

/** The handler of OPTIONS at an endpoint with `crossOrigin`. */
export async function preflight(request: Request): Promise<Response> {
  const origin = settings().backendUrl ? null : clientOrigin(request)
  if (origin !== null && isPreflight(request)) return withHeaders(withCors(preflightResponse(), origin), randomUUID())
  const response = await errorRoute('method_not_allowed')(request)
  if (response.status === 405) response.headers.set('Allow', 'POST')
  return response
}

/** The handler of an operation that makes its own responses. */
export const resource = (operation: Operation, handle: (request: Request) => Response | Promise<Response>): Handler =>
  handlerOf(operation, handle)

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
  if (!crossOrigin) return answering(mode, (request, requestId) => answer(request, mode, handle, requestId, null))
  const respond: Respond = (request, requestId) => answer(request, mode, handle, requestId, clientOrigin(request))
  return answering(mode, respond, (response, request) => withCors(response, clientOrigin(request)))
}

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

/** A handler that always fails with this code. */
export const errorRoute = (code: ErrorCode) =>
  requestHandler('ignored', async () => {
    throw new ApiError(code)
  })

function withHeaders(response: Response, requestId: string): Response {
  for (const [name, value] of ownHeaders(requestId)) response.headers.set(name, value)
  return response
}

async function answer(request: Request, mode: BodyMode, handle: Handle, requestId: string, origin: string | null) {
  const context = await readRequestContext(request.headers, request, requestId)
  try {
    if (origin === null) requireSameOrigin(request)
    const body = mode === 'ignored' ? undefined : await readBody(request, mode)
    const call = new IncomingCall(request, body, context, origin)
    return await handle(call)
  } catch (error) {
    await paceRejection(error, context)
    await logRejection(error, context)
    throw error
  }
}
