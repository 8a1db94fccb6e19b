import type { RefusalReason } from '../apps/refusals'

/** RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, and Unmet Authentication Requirements 1.0. */
type AuthorizationErrorCode =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'temporarily_unavailable'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'
  | 'login_required'
  | 'consent_required'
  | 'unmet_authentication_requirements'

const reasons: Record<AuthorizationErrorCode, RefusalReason> = {
  invalid_request: 'invalid_request',
  unsupported_response_type: 'unsupported_response_type',
  invalid_scope: 'invalid_scope',
  access_denied: 'access_denied',
  temporarily_unavailable: 'access_denied',
  request_not_supported: 'invalid_request',
  request_uri_not_supported: 'invalid_request',
  registration_not_supported: 'invalid_request',
  login_required: 'login_required',
  // `prompt=none` as well: a page was needed.
  consent_required: 'login_required',
  unmet_authentication_requirements: 'passkey',
}

export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError'
  readonly code: AuthorizationErrorCode
  readonly reason: RefusalReason | null

  /**
   * @param description for the app's developer: English, and ASCII without `"` and `\`
   * @param reason for the log; null if the log has it already
   */
  constructor(code: AuthorizationErrorCode, description: string, reason: RefusalReason | null = reasons[code]) {
    super(description)
    this.code = code
    this.reason = reason
  }
}
