import type { RequestContext } from '@/lib/auth/model/request-context'
import type { Session } from '@/lib/auth/sessions/find-session'
import type { AppWithSecrets } from '../apps/app'
import type { AuthorizationRequest } from './parameters'
import type { CarriedRequest } from './start'

export type NextStep =
  /** Shows a page: nobody knows whom to answer. */
  | { kind: 'unknown_app' | 'unknown_address' }
  | { kind: 'page'; path: string; uiLocales: string[] }
  | { kind: 'answer'; redirectUri: string; mode: 'query' | 'form_post'; parameters: Record<string, string> }

/** One pass of a request through the authorization endpoint. */
export interface PendingRequest {
  app: AppWithSecrets
  redirectUri: string
  request: AuthorizationRequest
  carried: CarriedRequest
  session: Session | null
  context: RequestContext
}
