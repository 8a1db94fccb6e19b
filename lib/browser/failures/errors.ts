import type { ErrorCode } from '@/lib/api/errors'
import type { Words } from '@/lib/messages/en'

/** A failure in words. `title` is empty when the sentences in `fields` say it all. */
export interface Failure {
  title: string
  detail: string
  fields: Record<string, string>
  /** Null if the browser's part of a ceremony failed. */
  code: FailureCode | null
  /** The name of the error by which it failed. */
  webAuthnError?: string
  /** Nothing went wrong: what was to be done is done already. */
  isHarmless?: boolean
  /** Only the people who run the service can help. */
  needsSupport?: boolean
}

/** Why something failed. If `title` is null, the action's is shown. */
export interface Cause {
  title: keyof Words['failures']['titles'] | null
  detail: string
}

/** How a prompt ended without a passkey. Browsers report all of these but `cancelled`, which the page did, as NotAllowedError. */
export type PromptEnd = 'cancelled' | 'closed' | 'not_created' | 'key_not_used' | 'no_prompt' | 'none_here'

export class PromptError extends Error {
  override readonly name = 'PromptError'
  readonly end: PromptEnd

  constructor(end: PromptEnd, cause?: unknown) {
    super(end, { cause })
    this.end = end
  }
}

/** The browser's prompt ended without a passkey, which is not an error. */
export interface Cancelled {
  cancelled: PromptEnd
}

/** How an action ended. */
export type Outcome = 'done' | Cancelled | Failure

export const isFailure = (outcome: Outcome, code?: FailureCode): outcome is Failure =>
  typeof outcome === 'object' && 'code' in outcome && (code === undefined || outcome.code === code)

/** How the prompt ended, if it ended without a passkey. */
export const promptEndOf = (outcome: Outcome): PromptEnd | null =>
  typeof outcome === 'object' && 'cancelled' in outcome ? outcome.cancelled : null

/** Codes that only the browser sets: no response carries them. */
type ClientCode = 'offline' | 'unreachable' | 'session_lost' | 'signed_in_meanwhile' | 'user_not_verified'

export type FailureCode = ErrorCode | ClientCode

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
