import type { ErrorCode } from './errors'

/**
 * Those that occur of RFC 6749 section 5.2, RFC 8707 section 2, RFC 8628 section 3.5 and RFC 6750 section 3.1, and the last two
 * of RFC 6749 section 4.1.2.1.
 */
export const oauthErrorStatus = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  invalid_token: 401,
  server_error: 500,
  temporarily_unavailable: 503,
} as const satisfies Record<string, number>

export type OAuthErrorCode = keyof typeof oauthErrorStatus

const codes: Partial<Record<ErrorCode, OAuthErrorCode>> = {
  internal_error: 'server_error',
  unavailable: 'temporarily_unavailable',
  too_many_attempts: 'temporarily_unavailable',
}

/** What stands for one of our codes. The response keeps that one's status. */
export const oauthCodeOf = (code: ErrorCode): OAuthErrorCode => codes[code] ?? 'invalid_request'

interface Details {
  /** The status of the response, where it is not the code's own. */
  status?: number
  /** For `WWW-Authenticate`. */
  authenticate?: string
  /** Seconds */
  retryAfter?: number | undefined
  /** The methods of the path; with 405. */
  allow?: readonly string[] | undefined
}

/** An error that an app's program gets, in the format of RFC 6749 section 5.2. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode
  readonly details: Details

  /** @param description for the app's developer: English, and ASCII without `"` and `\` */
  constructor(code: OAuthErrorCode, description: string, details: Details = {}) {
    super(description)
    this.code = code
    this.details = details
  }
}

/** Compares names, because `instanceof` fails between the several copies of this module that one process holds. */
export const isOAuthError = (error: unknown): error is OAuthError =>
  error instanceof Error && error.name === 'OAuthError' && 'code' in error
