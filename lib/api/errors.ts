/** Every error code with its HTTP status. Codes never change; lib/messages has the sentences. */
export const errorStatus = {
  invalid_request: 400,
  authentication_failed: 401,
  not_signed_in: 401,
  foreign_origin: 403,
  reauthentication_required: 403,
  sign_up_closed: 403,
  account_disabled: 403,
  not_allowed: 403,
  too_early: 403,
  passkey_copied: 401,
  unknown_passkey: 404,
  not_found: 404,
  method_not_allowed: 405,
  username_taken: 409,
  passkey_taken: 409,
  last_way_in: 409,
  last_administrator: 409,
  passkey_required: 409,
  managed_by_file: 409,
  different_account: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_attempts: 429,
  internal_error: 500,
  unavailable: 503,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof errorStatus

/** What can be wrong with a field: the key of its sentence in lib/messages, and the parameters of that sentence. */
interface FieldErrors {
  invalid: object
  unknown_field: object
  not_json: object
  not_https: object
  not_boolean: object
  not_base64url: object
  too_long: { max: number }
  username_missing: object
  username_format: object
  username_spaces: object
  username_length: { min: number; max: number }
  username_hyphen: object
  signed_in_as: { username: string }
  too_many_usernames: { max: number }
  email_format: object
  email_taken: object
  email_of_one: object
  mail_off: object
  group_format: { max: number }
  group_unknown: { group: string }
  group_of_administrators: object
  lifetime: { longest: string }
  password_missing: object
  password_too_short: { min: number }
  password_too_long: { max: number }
  password_malformed: object
  password_common: object
  password_is_name: object
  current_password_missing: object
  recovery_code_missing: object
  name_missing: object
  name_control_characters: object
  too_many_passkeys: { max: number }
  audience_unknown: object
  key_taken: object
  app_fault: { text: string }
}

export type FieldKey = keyof FieldErrors
export type FieldError = { [K in FieldKey]: { key: K } & FieldErrors[K] }[FieldKey]

/** What the response says besides the code. */
interface ResponseDetails {
  /** With `invalid_request`: what is wrong, by field. */
  fields?: Record<string, FieldError>
  /** Seconds; with 429, 503 and `too_early`. */
  retryAfter?: number
  /** The methods of the path; with 405 (RFC 9110 section 15.5.6). */
  allow?: readonly string[]
}

/** What only the log says. */
interface LogDetails {
  cause?: unknown
  /** With `not_found`: the request names what its account does not have. */
  notOwned?: true
}

interface ErrorDetails extends ResponseDetails, LogDetails {}

/** The one error that crosses layers. Anything else that is thrown is a bug. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(code, { cause: details.cause })
    this.code = code
    this.details = details
  }
}

/** Compares names, because `instanceof` fails between the several copies of this module that one process holds. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError' && 'code' in error
}
