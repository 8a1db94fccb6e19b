import type { BodyMode } from '@/lib/api/endpoints'
import { checkedHandler } from './checked-handler'
import type { Call } from './context/call'
import { type Caller, callers, type Identified } from './identity/identify-caller'
import { type OriginRuleName, originRules } from './origin/cross-origin'
import type { Handler } from './pipeline'

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
