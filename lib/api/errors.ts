/** Every way the service can refuse: code -> [HTTP status, sentence for people]. Codes never change; sentences may. */
export const apiErrors = {
  invalid_request: [400, 'Some of what was sent is not right.'],
  authentication_failed: [401, 'Authentication Failed'],
  not_signed_in: [401, 'You are not signed in.'],
  foreign_origin: [403, 'This request did not come from this site.'],
  reauthentication_required: [403, 'Sign in again to go on.'],
  unknown_passkey: [404, 'Authentication Failed'],
  not_found: [404, 'There is nothing here.'],
  method_not_allowed: [405, 'This address does not take this method.'],
  username_taken: [409, 'This username is taken.'],
  passkey_taken: [409, 'This passkey is already registered.'],
  last_way_in: [409, 'This is the last way to sign in.'],
  payload_too_large: [413, 'The request is larger than 64 KiB.'],
  unsupported_media_type: [415, 'Send JSON with Content-Type: application/json.'],
  too_many_attempts: [429, 'Too many attempts. Try again later.'],
  internal_error: [500, 'Something went wrong on our side.'],
  unavailable: [503, 'The service is busy. Try again in a moment.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type ErrorCode = keyof typeof apiErrors

/** What may stand beside a code: per-field sentences (400), seconds to wait (429, 503), and what only the log may know. */
export interface ErrorDetails {
  fields?: Record<string, string>
  retryAfter?: number
  cause?: unknown
}

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

/** Tells our error from others by name, because one process holds several copies of this module and `instanceof` tells them apart. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError' && 'code' in error
}
