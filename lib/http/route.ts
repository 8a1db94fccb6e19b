import type * as z from 'zod'
import {
  bodyMode,
  type CallerOf,
  type Endpoint,
  endpoints,
  type Operation,
  type ParsedBody,
  type ResultOf,
} from '@/lib/api/endpoints'
import { ApiError } from '@/lib/api/errors'
import { parse } from '@/lib/auth/model/parse'
import { settings } from '@/lib/settings/settings'
import { checkedHandler } from './checked-handler'
import type { Call, IncomingCall } from './context/call'
import { errorRoute } from './error-routes'
import { callers, type Identified } from './identity/identify-caller'
import { originRules, withCors } from './origin/cross-origin'
import { type Handler, pipeline, type ResourceOptions, type Respond } from './pipeline'
import { errorResponse } from './response/error-response'
import { oauthErrorResponse } from './response/oauth-response'
import { resultResponse, statusesOf, type WithHeaders } from './response/result-response'

// biome-ignore lint/suspicious/noConfusingVoidType: an action without a result returns nothing.
type Outcome<R> = R extends null ? null | void | WithHeaders<null> : R | WithHeaders<R>

/** Carries its operation: the build fails unless the route file is where the table says. */
export type OperationHandler = Handler & { operation: Operation }

const operationHandler = (operation: Operation, handle: Handler): OperationHandler =>
  Object.assign((request: Request) => handle(request), { operation })

const switchedOff = errorRoute('not_found')

const isSwitchedOff = ({ usesPassword }: Endpoint) => usesPassword === true && !settings().passwords

type Action<O extends Operation, B> = (
  call: Call<B> & Identified<CallerOf<O>>,
) => Outcome<ResultOf<O>> | Promise<Outcome<ResultOf<O>>>

/**
 * The handler of a row of lib/api/endpoints.ts: checks origin, body, expected account, caller and schema, in this order,
 * then calls the action. `rules` is the row's schema with rules that depend on settings.
 */
export function route<O extends Operation>(operation: O, action: Action<O, ParsedBody<O>>): OperationHandler
export function route<O extends Operation, S extends z.ZodType<ParsedBody<O>>>(
  operation: O,
  action: Action<O, z.output<S>>,
  rules: S,
): OperationHandler
export function route(operation: Operation, action: (call: never) => unknown, rules?: z.ZodType): OperationHandler {
  const endpoint: Endpoint | undefined = endpoints[operation]
  // Next's build skips the check of types, so an unknown operation can get here.
  if (!endpoint) throw new Error(`lib/api/endpoints.ts does not list ${operation}.`)
  const statuses = statusesOf(endpoint)
  const rule = originRules[endpoint.origin ?? 'own']
  // Links lead to a GET, so it is admitted from anywhere; its row has no caller that a cookie identifies.
  const admitting = operation.startsWith('GET ') ? { ...rule, admit: () => null } : rule
  const schema = rules ?? endpoint.body
  const respond = async (call: IncomingCall) => {
    const body = schema && parse(schema, call.body === undefined ? {} : call.body)
    const outcome = await action(Object.assign(call, { body }) as never)
    return resultResponse(outcome, { statuses, requestId: call.context.requestId, cors: rule.cors(call.clientOrigin) })
  }
  const handler = checkedHandler(bodyMode(endpoint), respond, {
    rule: admitting,
    identify: callers[endpoint.caller],
    render: endpoint.oauth && oauthErrorResponse,
  })
  // First: an endpoint that is switched off reveals nothing about its body.
  return operationHandler(operation, (request) => (isSwitchedOff(endpoint) ? switchedOff : handler)(request))
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
export function resource(operation: Unguarded, respond: Respond, options: ResourceOptions = {}): OperationHandler {
  const endpoint: Endpoint = endpoints[operation]
  const { origin = 'own', oauth } = endpoint
  const respondIfOn: Respond = (request, context) => {
    if (isSwitchedOff(endpoint)) throw new ApiError('not_found')
    return respond(request, context)
  }
  const handle = pipeline(bodyMode(endpoint), respondIfOn, {
    render: oauth ? oauthErrorResponse : errorResponse,
    finish: (response) => withCors(response, originRules[origin].cors(null)),
    ...options,
  })
  return operationHandler(operation, handle)
}
