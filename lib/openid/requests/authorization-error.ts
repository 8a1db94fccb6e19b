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

export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError'
  readonly code: AuthorizationErrorCode

  /** @param description for the app's developer: English, and ASCII without `"` and `\` */
  constructor(code: AuthorizationErrorCode, description: string) {
    super(description)
    this.code = code
  }
}
