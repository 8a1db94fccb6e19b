import { isEndpoint, methodsByPath, type Operation, type Path, type Row, rows } from '@/lib/api/endpoints'
import { ApiError } from '@/lib/api/errors'
import { isPreflight, listedOrigin } from './request/caller'
import { errorAnswer, oauthErrorAnswer, type RenderError } from './response/errors'
import { corsHeaders, newRequestId } from './response/headers'
import { type Answer, complete } from './response/result'
import { type Handler, type OperationHandler, rejectingHandler } from './route'

/** The route files' exports: for each path, a handler for each of its operations. */
export type Handlers = {
  [P in Path]: { [O in Operation as O extends `${infer M} ${P}` ? M : never]: OperationHandler<O> }
}

/** The methods that a route file of Next may answer. */
export const routedMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Finds the handler of a request with any method at any path: the path's own (HEAD takes that of GET), one for preflights where
 * the table lets pages of other origins call, 405 for other methods, and 404 for other paths.
 */
export function dispatch(handlers: Handlers, path: string, method: string): Handler {
  if (!isEndpoint(path)) return notFound
  const own: Record<string, Handler | undefined> = handlers[path]
  return own[method === 'HEAD' ? 'GET' : method] ?? (method === 'OPTIONS' ? preflight(path) : methodNotAllowed(path))
}

/** Answers an unknown path here, on a front end too: its backend's proxy may decode `/api/..%2fmetrics` another way. */
export const notFound = rejectingHandler(new ApiError('not_found'), { origin: 'own', onFrontEnd: 'answer' })

function methodNotAllowed(path: Path): Handler {
  const { origin = 'own', oauth } = endpointAt(path)
  return rejectingHandler(new ApiError('method_not_allowed', { allow: methodsByPath[path] }), {
    // Only OAuth's endpoints tell pages of other origins about their methods.
    origin: oauth ? origin : 'own',
    ...(oauth && { oauth }),
    // A front end forwards wrong methods below /api only.
    onFrontEnd: path.startsWith('/api/') ? 'forward' : 'answer',
  })
}

/** Answers the preflights that browsers send where pages of other origins may call with credentials. */
export function preflight(path: Path): Handler {
  const { origin = 'own' } = endpointAt(path)
  const reject = methodNotAllowed(path)
  const row = rows.find((one) => one.path === path && takesPreflight(one))
  return async (request) => {
    const client = listedOrigin(request)
    // On a front end, `reject` forwards the preflights of origins that only its backend lists.
    const isAdmitted = origin === 'any' || client !== null
    if (!row || !isAdmitted || !isPreflight(request)) return reject(request)
    return complete(preflightAnswer(path), { requestId: newRequestId(), cors: corsHeaders(origin, client) })
  }
}

const preflightSeconds = 600

const preflightAnswer = (path: Path): Answer => ({
  status: 204,
  headers: [
    ['Access-Control-Allow-Methods', methodsByPath[path].join(', ')],
    ['Access-Control-Allow-Headers', 'Authorization, Content-Type'],
    ['Access-Control-Max-Age', String(preflightSeconds)],
  ],
  body: null,
})

/** True if pages of other origins may call the endpoint with credentials, for which browsers send a preflight. */
export const takesPreflight = ({ origin, caller }: Row) =>
  origin === 'listed' || (origin === 'any' && caller !== 'anyone')

const endpointAt = (path: Path): Row => rows.find((row) => row.path === path) as Row

/** Chooses the form of errors at a path: OAuth's or ours. */
export const errorAnswerAt = (path: string): RenderError =>
  rows.some((row) => row.path === path && row.oauth) ? oauthErrorAnswer : errorAnswer
