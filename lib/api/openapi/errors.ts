import type { Row } from '../endpoints'
import type { ErrorCode } from '../errors'
import type { OAuthErrorCode } from '../oauth-errors'
import { callerContracts } from './callers'

const bodyErrors = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const

/** Every code that an operation can answer with where its errors have our format. */
export function errorsOf(row: Row): ErrorCode[] {
  const off: readonly ErrorCode[] = row.usesPassword ? ['not_found'] : []
  const fromBody = row.body === undefined ? [] : bodyErrors
  const codes = [...callerContracts[row.caller].errors, ...fromBody, ...off, ...(row.errors ?? [])]
  const ofPosts: readonly ErrorCode[] = row.method === 'GET' ? [] : ['foreign_origin', 'different_account']
  return [...new Set<ErrorCode>([...codes, ...ofPosts, 'internal_error', 'unavailable'])]
}

/** Every code that an operation can answer with where its errors have OAuth's format; undefined where they have ours. */
export function oauthErrorsOf({ oauth, caller }: Row): OAuthErrorCode[] | undefined {
  const always = ['invalid_request', 'server_error', 'temporarily_unavailable'] as const
  return oauth && [...new Set<OAuthErrorCode>([...always, ...(callerContracts[caller].oauthErrors ?? []), ...oauth])]
}
