import type * as z from 'zod'
import {
  type BodyMode,
  bodyMode,
  type CallerOf,
  type Endpoint,
  endpoints,
  type Operation,
  type ParsedBody,
  type ResultOf,
} from '@/lib/api/endpoints'
import type { AdministratorRights } from '@/lib/api/endpoints/endpoint'
import { ApiError } from '@/lib/api/errors'
import type { RememberedSignIn } from '@/lib/api/site'
import { logRejection } from '@/lib/auth/audit/rejections'
import { parse, type RequestContext } from '@/lib/auth/request'
import { paceRejection } from '@/lib/auth/throttling/rejection-pace'
import { settings } from '@/lib/settings/settings'
import { forward } from './remote-backend'
import { readBody } from './request/body'
import { type Caller, callers, type Identified, requireExpectedAccount } from './request/caller'
import { readRequestContext } from './request/context'
import { isFromPage, listedOrigin, type OriginRuleName, originRules, requireNavigation } from './request/origin'
import { readRememberedSignIn } from './request/remembered-people'
import { searchOf } from './request/target'
import { errorAnswer, oauthErrorAnswer } from './response/errors'
import { newRequestId, withApiHeaders } from './response/headers'
import { type Answer, complete, resultAnswer, type Statuses, statusesOf, type WithHeaders } from './response/result'

/** What a route file exports for a method. */
export type Handler = (request: Request) => Promise<Response>

/** Carries its operation, so that `app/handlers.ts` compiles only if each route file is where the table says. */
export type OperationHandler<O extends Operation = Operation> = Handler & { operation: O }

/** What an action gets, with what its caller is identified as. */
export interface Call<B = unknown> {
  readonly body: B
  readonly context: RequestContext
  /** Null unless a page of CLIENT_ORIGINS calls. */
  readonly clientOrigin: string | null
  /** Whether a web page calls, which gets cookies and no tokens. */
  readonly fromPage: boolean
  readonly query: URLSearchParams
  readonly rememberedSignIn: RememberedSignIn
}

/** Makes an answer by itself, from a request of which nothing was checked. */
type Respond = (request: Request, context: RequestContext) => Answer | Promise<Answer>

interface ResourceOptions {
  /** Caches may keep what `respond` returns, so it gets neither `no-store` nor a request id. */
  cacheable?: boolean
  /** What a front end does with the request; `forward` without it. */
  onFrontEnd?: 'answer' | 'forward'
}

/** What is answered at a method and path. */
interface Served extends ResourceOptions {
  bodyMode: BodyMode
  maxBody?: number | undefined
  caller: Caller
  origin: OriginRuleName
  /** Links lead to a GET, so it is admitted from anywhere; its row has no caller that a cookie identifies. */
  fromAnywhere?: boolean
  usesPassword?: boolean
  usesRecovery?: boolean
  /** Of a row with the caller `administrator` */
  rights?: AdministratorRights
  oauth?: boolean
  schema?: z.ZodType | undefined
  /** Statuses with a result and without one */
  statuses?: Statuses
  answer: { action: (call: never) => unknown } | { respond: Respond }
}

/**
 * The pipeline of every request of the API, step by step. A front end of a split deployment forwards after the first step; its
 * backend runs the rest.
 */
async function handle(request: Request, served: Served): Promise<Response> {
  const { answer, oauth = false } = served
  const { backendUrl, passwords, mailRecovery } = settings()
  const forwards = backendUrl !== undefined && served.onFrontEnd !== 'answer'
  const rule = originRules[served.origin]
  const requestId = newRequestId()
  const cors = () => rule.cors(listedOrigin(request))
  let context: RequestContext | undefined
  try {
    context = await readRequestContext(request.headers, { request, requestId })
    if (forwards) return await forward(request, served, backendUrl)
    const authorization = request.headers.get('Authorization')
    const identify = (body?: unknown) =>
      callers[served.caller]({
        request,
        authorization,
        body,
        context: context as RequestContext,
        rights: served.rights,
      })
    // Operators first, their origin included: anybody else gets 404 and learns nothing. A key needs no origin.
    const administrator = served.rights && (await identify())
    const clientOrigin = 'respond' in answer || served.fromAnywhere || administrator ? null : rule.admit(request)
    // Before the body is read: an endpoint that is switched off reveals nothing about it.
    if (served.usesPassword && !passwords) throw new ApiError('not_found')
    if (served.usesRecovery && mailRecovery === null) throw new ApiError('not_found')
    if (served.origin === 'navigation') requireNavigation(request)
    if ('respond' in answer) {
      const answered = await answer.respond(request, context)
      return complete(answered, { requestId: served.cacheable ? null : requestId, cors: cors() })
    }
    const raw = served.bodyMode === 'ignored' ? undefined : await readBody(request, served.bodyMode, served.maxBody)
    if (!administrator) await requireExpectedAccount(request, context)
    const caller = administrator ?? (await identify(raw))
    const body = served.schema ? parse(served.schema, raw === undefined ? {} : raw) : raw
    const call: Call = {
      ...caller,
      body,
      context,
      clientOrigin,
      // On demand: few actions read these.
      get fromPage() {
        return isFromPage(request)
      },
      get query() {
        return new URLSearchParams(searchOf(request.url))
      },
      get rememberedSignIn() {
        return readRememberedSignIn(request.headers)
      },
    }
    const outcome = await answer.action(call as never)
    // A fork's, which may have any headers and body.
    if (outcome instanceof Response) return withApiHeaders(outcome, requestId, cors())
    return complete(resultAnswer(outcome, served.statuses), { requestId, cors: rule.cors(clientOrigin) })
  } catch (error) {
    if (context && !forwards && 'action' in answer) await logRejection(error, context)
    if (context) await paceRejection(error, context)
    const rejection = (oauth ? oauthErrorAnswer : errorAnswer)(error, request.headers, requestId)
    return complete(rejection, { requestId, cors: cors() })
  }
}

// biome-ignore lint/suspicious/noConfusingVoidType: an action without a result returns nothing.
type Outcome<R> = R extends null ? null | void | WithHeaders<null> : R | WithHeaders<R>

type Action<O extends Operation, B> = (
  call: Call<B> & Identified<CallerOf<O>>,
) => Outcome<ResultOf<O>> | Promise<Outcome<ResultOf<O>>>

const withOperation = <O extends Operation>(operation: O, served: Served): OperationHandler<O> =>
  Object.assign((request: Request) => handle(request, served), { operation })

function servedRow(operation: Operation, answer: Served['answer']): Served {
  const endpoint: Endpoint | undefined = endpoints[operation]
  // Next's build skips the check of types, so an unknown operation can get here.
  if (!endpoint) throw new Error(`lib/api/endpoints.ts does not list ${operation}.`)
  const {
    caller,
    origin = 'own',
    usesPassword = false,
    usesRecovery = false,
    oauth,
    rights,
    body: schema,
    maxBody,
  } = endpoint
  return {
    bodyMode: bodyMode(endpoint),
    maxBody,
    caller,
    origin,
    fromAnywhere: operation.startsWith('GET '),
    usesPassword,
    usesRecovery,
    ...(rights && { rights }),
    oauth: oauth !== undefined,
    schema,
    statuses: statusesOf(endpoint),
    answer,
  }
}

/** The handler of a row of lib/api/endpoints.ts. `rules` is the row's schema with rules that depend on settings. */
export function route<O extends Operation>(operation: O, action: Action<O, ParsedBody<O>>): OperationHandler<O>
export function route<O extends Operation, S extends z.ZodType<ParsedBody<O>>>(
  operation: O,
  action: Action<O, z.output<S>>,
  rules: S,
): OperationHandler<O>
export function route(operation: Operation, action: (call: never) => unknown, rules?: z.ZodType): OperationHandler {
  const served = servedRow(operation, { action })
  return withOperation(operation, { ...served, schema: rules ?? served.schema })
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
): OperationHandler<O> => withOperation(operation, { ...servedRow(operation, { respond }), ...options })

/** `app` and `bearer` are rejected in OAuth's format, which a fork's handler does not have. */
type OwnCaller = Exclude<Caller, 'app' | 'bearer'>

/**
 * A handler that needs no row, for a fork's own path, with the checks and error responses of one. A front end forwards it
 * if the path is below /api, else answers 404.
 */
export function requestHandler<C extends OwnCaller>(
  mode: BodyMode,
  handle: (call: Call & Identified<C>) => Promise<Response>,
  options: { origin?: Exclude<OriginRuleName, 'any' | 'navigation'>; caller: C },
): Handler
export function requestHandler(
  mode: BodyMode,
  handle: (call: Call) => Promise<Response>,
  options?: { origin?: OriginRuleName; caller?: 'anyone' },
): Handler
export function requestHandler(
  mode: BodyMode,
  action: (call: never) => Promise<Response>,
  { origin = 'own', caller = 'anyone' }: { origin?: OriginRuleName; caller?: Caller } = {},
): Handler {
  return (request) => handle(request, { bodyMode: mode, caller, origin, answer: { action } })
}

/** Answers an error to everybody but foreign origins: here, or on a front end by its backend. */
export function rejectingHandler(error: ApiError, options: Pick<Served, 'origin' | 'oauth' | 'onFrontEnd'>): Handler {
  const respond: Respond = (request) => {
    originRules[options.origin].admit(request)
    throw error
  }
  return (request) => handle(request, { bodyMode: 'ignored', caller: 'anyone', answer: { respond }, ...options })
}
