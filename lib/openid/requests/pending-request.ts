import type { Session } from '@/lib/auth/sessions/find-session'
import type { AppWithSecrets } from '../apps/app'
import type { UnknownRedirectUri } from './find-redirect'
import type { RequestProgress } from './interaction'
import type { AuthorizationRequest, ResponseMode } from './parameters'

export type AuthorizationOutcome =
  /** A page says so: without a registered redirect URI there is no authorization response. */
  | { kind: 'unknown_app' }
  | UnknownRedirectUri
  | { kind: 'page'; path: string; uiLocales: string[] }
  | { kind: 'response'; redirectUri: string; mode: ResponseMode; parameters: Record<string, string> }

/** An authorization request on one pass through the endpoint. */
export interface PendingRequest {
  app: AppWithSecrets
  redirectUri: string
  request: AuthorizationRequest
  progress: RequestProgress
  session: Session | null
}

export interface SignedInRequest extends PendingRequest {
  session: Session
}
