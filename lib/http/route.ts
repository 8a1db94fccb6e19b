import type * as z from 'zod'
import {
  type BodyMode,
  bodyMode,
  type CallerOf,
  type Endpoint,
  endpoints,
  isEndpoint,
  methodsByPath,
  type Operation,
  type ParsedBody,
  type Path,
  type ResultOf,
  type Row,
  rows,
} from '@/lib/api/endpoints'
import { ApiError } from '@/lib/api/errors'
import { logRejection } from '@/lib/auth/events/rejections'
import { parse, type RequestContext } from '@/lib/auth/request'
import { paceRejection } from '@/lib/auth/throttling/rejection-pace'
import { settings } from '@/lib/settings/settings'
import { forward } from './remote-backend'
import { readBody } from './request/body'
import {
  admitOrigin,
  type Caller,
  callers,
  type Identified,
  isFromPage,
  isPreflight,
  listedOrigin,
  type OriginRule,
  requireExpectedAccount,
  requireNavigation,
  requireRights,
} from './request/caller'
import { type Call, readRequestContext } from './request/context'
import { readRememberedSignIn } from './request/cookies'
import { searchOf } from './request/head'
import { errorAnswer, oauthErrorAnswer, type RenderError } from './response/errors'
import { corsHeaders, newRequestId, withApiHeaders } from './response/headers'
import { type Answer, complete, resultAnswer, type Statuses, statusesOf, type WithHeaders } from './response/result'

/** What a route file exports for a method. */
export type Handler = (request: Request) => Promise<Response>

/** Carries its operation, so that `app/handlers.ts` compiles only if each route file is where the table says. */
export type OperationHandler<O extends Operation = Operation> = Handler & { operation: O }

/** Makes an answer by itself, from a request of which nothing was checked. */
type Respond = (request: Request, context: RequestContext) => Answer | Promise<Answer>

interface ResourceOptions {
  /** Caches may keep what `respond` returns, so it gets neither `no-store` nor a request id. */
  cacheable?: boolean
  /** What a front end does with the request; `forward` without it. */
  onFrontEnd?: 'answer' | 'forward'
}

/** What is answered at a method and path. */
interface Served
  extends ResourceOptions,
    Pick<Endpoint, 'caller' | 'rights' | 'maxBody' | 'oauth' | 'usesPassword' | 'usesRecovery'> {
  bodyMode: BodyMode
  origin: OriginRule
  /** Links lead to a GET, so it is admitted from anywhere; its row has no caller that a cookie identifies. */
  fromAnywhere?: boolean
  schema?: z.ZodType | undefined
  /** Statuses with a result and without one */
  statuses?: Statuses
}

/** A request under way. */
interface Exchange {
  request: Request
  context: RequestContext
  requestId: string
}

/**
 * The way of every request of the API. A front end of a split deployment forwards it once it knows the context; its backend
 * answers it.
 */
async function handle(
  request: Request,
  served: Served,
  answer: (exchange: Exchange) => Promise<Response>,
): Promise<Response> {
  const { backendUrl } = settings()
  const requestId = newRequestId()
  let context: RequestContext | undefined
  try {
    context = await readRequestContext(request.headers, { request, requestId })
    const forwards = backendUrl !== undefined && served.onFrontEnd !== 'answer'
    return await (forwards ? forward(request, served, backendUrl) : answer({ request, context, requestId }))
  } catch (error) {
    if (context) await paceRejection(error, context)
    const render = served.oauth ? oauthErrorAnswer : errorAnswer
    return complete(render(error, request.headers, requestId), { requestId, cors: corsOf(request, served) })
  }
}

/** Answers by an action: who calls, and with what body, is known before it begins. */
async function answerByAction(
  { request, context, requestId }: Exchange,
  served: Served,
  action: (call: Call) => unknown,
): Promise<Response> {
  const { caller, origin, rights, bodyMode, maxBody, schema } = served
  const authorization = request.headers.get('Authorization')
  // Before the origin, too: to anybody but operators nothing is here.
  const operated = rights && (await callers.administrator({ authorization, context }))
  // No page can send a key, whatever cookies its request has, so a key needs no origin.
  const needsNoOrigin = served.fromAnywhere || operated?.operator.kind === 'key'
  const clientOrigin = needsNoOrigin ? null : admitOrigin(request, origin)
  requireSwitchedOn(served)
  if (origin === 'navigation') requireNavigation(request)
  await requireExpectedAccount(request, context)
  if (operated) requireRights(operated.operator, rights)
  const raw = bodyMode === 'ignored' ? undefined : await readBody(request, bodyMode, maxBody)
  const identified = operated ?? (await callers[caller]({ authorization, context, body: raw }))
  const body = schema ? parse(schema, raw === undefined ? {} : raw) : raw
  const call = new RequestCall(request, { body, context, clientOrigin })
  const outcome = await action(Object.assign(call, identified))
  // A fork's, which may have any headers and body.
  if (outcome instanceof Response) return withApiHeaders(outcome, requestId, corsOf(request, served))
  return complete(resultAnswer(outcome, served.statuses), { requestId, cors: corsHeaders(origin, clientOrigin) })
}

/** A class, which defines its getters once: with those of an object literal, each request would take 5 us longer. */
class RequestCall implements Call {
  readonly body: unknown
  readonly context: RequestContext
  readonly clientOrigin: string | null
  readonly #request: Request

  constructor(request: Request, { body, context, clientOrigin }: Pick<Call, 'body' | 'context' | 'clientOrigin'>) {
    this.body = body
    this.context = context
    this.clientOrigin = clientOrigin
    this.#request = request
  }

  // On demand: few actions read these.
  get fromPage() {
    return isFromPage(this.#request)
  }

  get query() {
    return new URLSearchParams(searchOf(this.#request.url))
  }

  get rememberedSignIn() {
    return readRememberedSignIn(this.#request.headers)
  }
}

/** Answers by a resource, which makes its own answer. */
async function answerByResource(
  { request, context, requestId }: Exchange,
  served: Served,
  respond: Respond,
): Promise<Response> {
  requireSwitchedOn(served)
  if (served.origin === 'navigation') requireNavigation(request)
  const answer = await respond(request, context)
  return complete(answer, { requestId: served.cacheable ? null : requestId, cors: corsOf(request, served) })
}

/** Runs before the body is read: an endpoint that is switched off reveals nothing about it. */
function requireSwitchedOn({ usesPassword, usesRecovery }: Served): void {
  const { passwords, mailRecovery } = settings()
  if ((usesPassword && !passwords) || (usesRecovery && mailRecovery === null)) throw new ApiError('not_found')
}

const corsOf = (request: Request, { origin }: Served) => corsHeaders(origin, listedOrigin(request))

const actionHandler =
  (served: Served, action: (call: Call) => unknown): Handler =>
  (request) =>
    handle(request, served, async (exchange) => {
      try {
        return await answerByAction(exchange, served, action)
      } catch (error) {
        // Here and not in handle(): a front end leaves the log to its backend, and a resource logs its own rejections.
        await logRejection(error, exchange.context)
        throw error
      }
    })

const resourceHandler =
  (served: Served, respond: Respond): Handler =>
  (request) =>
    handle(request, served, (exchange) => answerByResource(exchange, served, respond))

// biome-ignore lint/suspicious/noConfusingVoidType: an action without a result returns nothing.
type Outcome<R> = R extends null ? null | void | WithHeaders<null> : R | WithHeaders<R>

type Action<O extends Operation, B> = (
  call: Call<B> & Identified<CallerOf<O>>,
) => Outcome<ResultOf<O>> | Promise<Outcome<ResultOf<O>>>

function servedAt(operation: Operation): Served {
  const endpoint: Endpoint | undefined = endpoints[operation]
  // Next's build skips the check of types, so an unknown operation can get here.
  if (!endpoint) throw new Error(`lib/api/endpoints.ts does not list ${operation}.`)
  const { origin = 'own', body } = endpoint
  const fromAnywhere = operation.startsWith('GET ')
  return {
    ...endpoint,
    origin,
    fromAnywhere,
    bodyMode: bodyMode(endpoint),
    schema: body,
    statuses: statusesOf(endpoint),
  }
}

/** The handler of a row of lib/api/endpoints.ts. `rules` is the row's schema with rules that depend on settings. */
export function route<O extends Operation>(operation: O, action: Action<O, ParsedBody<O>>): OperationHandler<O>
export function route<O extends Operation, S extends z.ZodType<ParsedBody<O>>>(
  operation: O,
  action: Action<O, z.output<S>>,
  rules: S,
): OperationHandler<O>
export function route(operation: Operation, action: (call: Call) => unknown, rules?: z.ZodType): OperationHandler {
  const served = servedAt(operation)
  return Object.assign(actionHandler({ ...served, schema: rules ?? served.schema }, action), { operation })
}

type Table = typeof endpoints

/** Operations whose rows require nothing of the caller and, beyond GET, let pages of any origin call. */
type Unguarded = {
  [O in Operation]: Table[O] extends { caller: 'anyone' } & (O extends `GET ${string}` ? unknown : OpenToAll)
    ? O
    : never
}[Operation]

interface OpenToAll {
  origin: 'any' | 'navigation'
}

/** The handler of an operation that makes its own responses. Neither caller nor origin is checked. */
export const resource = <O extends Unguarded>(
  operation: O,
  respond: Respond,
  options: ResourceOptions = {},
): OperationHandler<O> => Object.assign(resourceHandler({ ...servedAt(operation), ...options }, respond), { operation })

/** `app` and `bearer` are rejected in OAuth's format and `administrator` has rights, which a fork's handler does not have. */
type OwnCaller = Exclude<Caller, 'app' | 'bearer' | 'administrator'>

/**
 * A handler that needs no row, for a fork's own path, with the checks and error responses of one. A front end forwards it
 * if the path is below /api, else answers 404.
 */
export function requestHandler<C extends OwnCaller>(
  mode: BodyMode,
  action: (call: Call & Identified<C>) => Promise<Response>,
  options: { origin?: Exclude<OriginRule, 'any' | 'navigation'>; caller: C },
): Handler
export function requestHandler(
  mode: BodyMode,
  action: (call: Call) => Promise<Response>,
  options?: { origin?: OriginRule; caller?: 'anyone' },
): Handler
export function requestHandler(
  mode: BodyMode,
  action: (call: Call) => Promise<Response>,
  { origin = 'own', caller = 'anyone' }: { origin?: OriginRule; caller?: Caller } = {},
): Handler {
  return actionHandler({ bodyMode: mode, caller, origin }, action)
}

/** Answers an error to everybody but foreign origins: here, or on a front end by its backend. */
export function rejectingHandler(error: ApiError, options: Pick<Served, 'origin' | 'oauth' | 'onFrontEnd'>): Handler {
  return resourceHandler({ bodyMode: 'ignored', caller: 'anyone', ...options }, (request) => {
    admitOrigin(request, options.origin)
    throw error
  })
}

/* Which handler answers a method at a path. */

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
