import type { Endpoint } from '../endpoints'
import type { ErrorCode } from '../errors'
import type { OAuthErrorCode } from '../oauth-errors'

interface CallerContract {
  /** What rejects the caller, in the format of its row's errors. */
  errors: readonly ErrorCode[]
  oauthErrors?: readonly OAuthErrorCode[]
  /** The credentials that identify it, as OpenAPI's security requirements: any of them suffices. */
  security: readonly Readonly<Record<string, readonly []>>[]
}

const session = [{ session: [] }, { bearer: [] }] as const
const stepUp = [
  { session: [], stepUp: [] },
  { bearer: [], stepUp: [] },
] as const

export const callerContracts: Record<Endpoint['caller'], CallerContract> = {
  anyone: { errors: [], security: [] },
  session: { errors: ['not_signed_in'], security: session },
  'session-and-maybe-step-up': {
    errors: ['not_signed_in', 'reauthentication_required'],
    security: [...session, ...stepUp],
  },
  'step-up': { errors: ['not_signed_in', 'reauthentication_required'], security: stepUp },
  'step-up-if-session': { errors: ['reauthentication_required'], security: [{}, ...stepUp] },
  app: { errors: [], oauthErrors: ['invalid_client', 'temporarily_unavailable'], security: [{ app: [] }, {}] },
  bearer: { errors: [], oauthErrors: ['invalid_token'], security: [{ accessToken: [] }] },
  cron: { errors: ['authentication_failed', 'not_found', 'too_many_attempts'], security: [{ cronSecret: [] }] },
}
