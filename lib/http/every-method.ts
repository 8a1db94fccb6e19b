import { methodsByPath, type Path, type Row, rows } from '@/lib/api/endpoints'
import { settings } from '@/lib/settings/settings'
import { methodNotAllowed } from './error-routes'
import { isPreflight, listedOrigin, originRules, preflightResponse, withCors } from './origin/cross-origin'
import type { Handler } from './pipeline'
import { newRequestId, withApiHeaders } from './response/api-headers'
import type { OperationHandler } from './route'

/** The methods that Next lets a route file answer. */
export const routedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

type RoutedMethod = (typeof routedMethods)[number]

/** Next fails with 500 or a stack trace on others. */
export const isRoutedMethod = (method: string): method is RoutedMethod =>
  routedMethods.some((routed) => routed === method)

/** What a route file exports. */
export type RouteHandlers = Record<RoutedMethod, Handler>

/** For a path that has no row. */
export const forEveryMethod = (handler: Handler): RouteHandlers =>
  Object.fromEntries(routedMethods.map((method) => [method, handler])) as RouteHandlers

/**
 * What a route file exports: the handlers of its path's rows, that of GET for HEAD, too, preflights where the table lets pages of
 * other origins call, and 405 for the rest. Next's own 405 has neither a body nor `Allow`, and its OPTIONS is 204.
 */
export function everyMethod(...handlers: [OperationHandler, ...OperationHandler[]]): RouteHandlers {
  const path = handlers[0].operation.split(' ')[1] as Path
  const reject = methodNotAllowed(path)
  const all = forEveryMethod(reject)
  const row = rows.find((one) => one.path === path && takesPreflight(one))
  if (row) all.OPTIONS = preflight(row, reject)
  for (const handler of handlers) {
    const method = handler.operation.split(' ')[0] as Row['method']
    all[method] = handler
    // A function of its own: it carries no operation.
    if (method === 'GET') all.HEAD = (request) => handler(request)
  }
  return all
}

/** Whether pages of other origins may call it with credentials, for which browsers send a preflight. */
const takesPreflight = ({ origin, caller }: Row) => origin === 'listed' || (origin === 'any' && caller !== 'anyone')

function preflight({ path, origin = 'own' }: Row, reject: Handler): Handler {
  const allow = methodsByPath[path].join(', ')
  return async (request) => {
    const client = listedOrigin(request)
    // A front end forwards preflights, too.
    const isAdmitted = origin === 'any' || (client !== null && !settings().backendUrl)
    if (!isAdmitted || !isPreflight(request)) return reject(request)
    return withApiHeaders(withCors(preflightResponse(allow), originRules[origin].cors(client)), newRequestId())
  }
}
