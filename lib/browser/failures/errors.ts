import type { FailureCode } from './outcomes'

interface ErrorDetails {
  error?: string
  /** What the error means for the action; shown in place of any other. */
  sentence?: string
  fields?: Record<string, string>
  /** Seconds. */
  retryAfter?: number
  /** The HTTP status, if there was a response. */
  status?: number
  /** This clock minus the server's, in milliseconds. */
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

/** For revocations: what is gone needs none. */
export function ignoreNotFound(error: unknown): void {
  if (!isCode(error, 'not_found')) throw error
}

export const isCode = (error: unknown, code: FailureCode): error is ApiClientError =>
  error instanceof ApiClientError && error.code === code
