import type { FailureCode } from './outcomes'

interface ErrorDetails {
  error?: string
  /** The meaning of the error for the action, which replaces any other sentence */
  sentence?: string
  fields?: Record<string, string>
  /** In seconds */
  retryAfter?: number
  /** The HTTP status, if there was a response. */
  status?: number
  /** This clock minus the server's, in milliseconds */
  skew?: number
}

/** An error response, or the lack of a usable one. */
export class ApiClientError extends Error {
  override readonly name = 'ApiClientError'
  readonly code: FailureCode
  readonly details: ErrorDetails

  constructor(code: FailureCode, details: ErrorDetails = {}) {
    super(code)
    this.code = code
    this.details = details
  }
}

/** Ignores `not_found` after a revocation, since the thing is gone. */
export function ignoreNotFound(error: unknown): void {
  if (!isCode(error, 'not_found')) throw error
}

export const isCode = (error: unknown, code: FailureCode): error is ApiClientError =>
  error instanceof ApiClientError && error.code === code
