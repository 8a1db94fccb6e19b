import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerRequest } from 'srvx'
import { NodeRequest } from 'srvx/node'
import type { Path } from '@/lib/api/endpoints'
import { methodNotAllowed, notFound } from '../error-routes'
import { isRoutedMethod, type RouteHandlers } from '../every-method'
import { pathOf } from '../request/request-target'
import { CompleteResponse } from '../response/result-response'
import { isOwnEndpoint } from './paths'
import { sendResponse } from './send-response'

/** Without Next, whose pipeline makes each endpoint several times as slow. */
export function endpointsListener(handlers: Record<Path, RouteHandlers>) {
  function respond(request: ServerRequest): Response | Promise<Response> {
    const path = pathOf(request.runtime?.node?.req.url ?? '')
    if (!isOwnEndpoint(path)) return notFound(request)
    const { method } = request
    return (isRoutedMethod(method) ? handlers[path][method] : methodNotAllowed(path))(request)
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const responded = await respond(new NodeRequest({ req: request, res: response }))
    if (responded instanceof CompleteResponse) responded.writeTo(response)
    else await sendResponse(response, responded)
  }
}
