import type { BodyMode } from '@/lib/api/endpoints'
import { logRejection } from '@/lib/auth/audit/log-rejection'
import { type Call, IncomingCall } from './context/call'
import { requireExpectedAccount } from './identity/expected-account'
import { type Caller, callers, type Identified } from './identity/identify-caller'
import { listedOrigin, type OriginRule, type OriginRuleName, originRules, withCors } from './origin/cross-origin'
import { type Handler, pipeline, type Respond } from './pipeline'
import { readBody } from './request/body'
import { errorResponse, type RenderError } from './response/error-response'

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
  handle: (call: never) => Promise<Response>,
  { origin = 'own', caller = 'anyone' }: { origin?: OriginRuleName; caller?: Caller } = {},
) {
  return checkedHandler(mode, (call) => handle(call as never), {
    rule: originRules[origin],
    identify: callers[caller],
  })
}

interface Checks {
  rule: OriginRule
  identify: (call: IncomingCall) => object | Promise<object>
  render?: RenderError | undefined
}

/** Checks origin, body, expected account and caller, in this order, before `handle`; logs what it rejects. */
export function checkedHandler(
  mode: BodyMode,
  handle: (call: IncomingCall) => Promise<Response>,
  { rule, identify, render = errorResponse }: Checks,
) {
  const respond: Respond = async (request, context) => {
    try {
      const clientOrigin = rule.admit(request)
      const body = mode === 'ignored' ? undefined : await readBody(request, mode)
      await requireExpectedAccount(request, context)
      const call = new IncomingCall(request, { body, context, clientOrigin })
      return await handle(Object.assign(call, await identify(call)))
    } catch (error) {
      await logRejection(error, context)
      throw error
    }
  }
  const finish = (response: Response, request: Request) => withCors(response, rule.cors(listedOrigin(request)))
  return pipeline(mode, respond, { render, finish })
}
