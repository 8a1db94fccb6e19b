import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerRequest } from 'srvx'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { type Path, rows } from '@/lib/api/endpoints'
import type { Handle } from '../pipeline'
import { pathOf } from '../request/request-target'
import { errorHere, errorRoute, notFound, oauthErrorRoute } from '../request-handler'
import { CompleteResponse } from '../response/result-response'
import { withStrictHeaders } from './every-response'
import { methodsOf } from './methods'
import { decodePath, isOwnEndpoint } from './paths'

interface RouteHandlers {
  handlers: Record<Path, Handle>
  preflights: Partial<Record<Path, Handle>>
}

const methodNotAllowed = errorRoute('method_not_allowed')
const oauthMethodNotAllowed = new Map<string, Handle>(
  rows.flatMap(({ path, oauth, origin = 'own' }) =>
    oauth ? [[path, oauthErrorRoute('method_not_allowed', origin)]] : [],
  ),
)

/** Our endpoints, and malformed paths, to which Next would respond 400. */
export const isForEndpoints = (path: string) =>
  isOwnEndpoint(path) || (path.startsWith('/api/') && decodePath(path) === undefined)

/** Without Next, whose pipeline makes each endpoint several times as slow. */
export function endpointsListener({ handlers, preflights }: RouteHandlers) {
  function respond(request: ServerRequest): Response | Promise<Response> {
    const path = pathOf(request.runtime?.node?.req.url ?? '')
    if (!isOwnEndpoint(path)) return notFound(request)
    const preflight = request.method === 'OPTIONS' && preflights[path]
    if (preflight) return preflight(request)
    const methods = methodsOf(path)
    return methods.includes(request.method) ? handlers[path](request) : rejectWrongMethod(request, path, methods)
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const responded = await respond(new NodeRequest({ req: request, res: response }))
    if (responded instanceof CompleteResponse) responded.writeTo(response)
    else await sendNodeResponse(response, withStrictHeaders(responded))
  }
}

async function rejectWrongMethod(request: Request, path: string, methods: readonly string[]): Promise<Response> {
  // A front end forwards wrong methods below /api only.
  const response = path.startsWith('/api/')
    ? await (oauthMethodNotAllowed.get(path) ?? methodNotAllowed)(request)
    : errorHere('method_not_allowed', request)
  response.headers.set('Allow', methods.join(', '))
  return response
}
