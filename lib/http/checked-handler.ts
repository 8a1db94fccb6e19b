import type { BodyMode } from '@/lib/api/endpoints'
import { logRejection } from '@/lib/auth/audit/log-rejection'
import { IncomingCall } from './context/call'
import { requireExpectedAccount } from './identity/expected-account'
import { listedOrigin, type OriginRule, withCors } from './origin/cross-origin'
import { pipeline, type Respond } from './pipeline'
import { readBody } from './request/body'
import { errorResponse, type RenderError } from './response/error-response'

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
