import type { Endpoint, Row } from './endpoints'
import type { ErrorCode } from './errors'
import type { OAuthErrorCode } from './oauth-errors'

const callerErrors: Record<Endpoint['caller'], readonly ErrorCode[]> = {
  anyone: [],
  session: ['not_signed_in'],
  'session-and-maybe-step-up': ['not_signed_in', 'reauthentication_required'],
  'step-up': ['not_signed_in', 'reauthentication_required'],
  'step-up-if-session': ['reauthentication_required'],
  app: [],
  bearer: [],
  cron: ['authentication_failed', 'not_found', 'too_many_attempts'],
}
const bodyErrors = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const

/** Every code that an operation can answer with. */
export function errorsOf(row: Row): ErrorCode[] {
  const off: readonly ErrorCode[] = row.usesPassword ? ['not_found'] : []
  const fromBody = row.body === undefined ? [] : bodyErrors
  const codes = [...callerErrors[row.caller], ...fromBody, ...off, ...row.errors]
  const ofPosts: readonly ErrorCode[] = row.method === 'GET' ? [] : ['foreign_origin', 'different_account']
  return [...new Set<ErrorCode>([...codes, ...ofPosts, 'internal_error', 'unavailable'])]
}

const oauthCallerErrors: Partial<Record<Endpoint['caller'], readonly OAuthErrorCode[]>> = {
  app: ['invalid_client', 'temporarily_unavailable'],
  bearer: ['invalid_token'],
}

/** Every code that an operation can answer with where its errors have OAuth's format; undefined where they have ours. */
export function oauthErrorsOf({ oauth, caller }: Row): OAuthErrorCode[] | undefined {
  const always = ['invalid_request', 'server_error', 'temporarily_unavailable'] as const
  return oauth && [...new Set<OAuthErrorCode>([...always, ...(oauthCallerErrors[caller] ?? []), ...oauth])]
}
