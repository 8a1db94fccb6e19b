import type { ErrorCode } from '@/lib/api/errors'
import type { Words } from '@/lib/messages/en'

/** The end of an action. */
export type Outcome = 'done' | Cancelled | Failure

/** The browser's prompt ended without a passkey, which is not an error. */
export interface Cancelled {
  cancelled: PromptEnd
}

/**
 * The end of a prompt without a passkey. Browsers report all of these as NotAllowedError, except `cancelled`, which the page
 * did.
 */
export type PromptEnd = 'cancelled' | 'closed' | 'not_created' | 'key_not_used' | 'no_prompt' | 'none_here'

/** A failure in words. `title` is empty when the sentences in `fields` say it all. */
export interface Failure {
  title: string
  detail: string
  fields: Record<string, string>
  /** Null if the browser's part of a ceremony failed. */
  code: FailureCode | null
  /** True if nothing went wrong, because the thing was done already */
  isHarmless?: boolean
  /** True if only the people who run the service can help */
  needsSupport?: boolean
  /** The seconds until another attempt can succeed */
  retryAfter?: number | undefined
}

/** Codes that only the browser sets: no response carries them. */
type ClientCode =
  | 'offline'
  | 'unreachable'
  | 'out_of_date'
  | 'session_lost'
  | 'signed_in_meanwhile'
  | 'user_not_verified'

export type FailureCode = ErrorCode | ClientCode

/** The cause of a failure. If `title` is null, the page shows the action's. */
export interface Cause {
  title: keyof Words['failures']['titles'] | null
  detail: string
}

export const isFailure = (outcome: Outcome | { text: string }, code?: FailureCode): outcome is Failure =>
  typeof outcome === 'object' && 'code' in outcome && (code === undefined || outcome.code === code)

/** Tells how the prompt ended, if it ended without a passkey. */
export const promptEndOf = (outcome: Outcome | { text: string }): PromptEnd | null =>
  typeof outcome === 'object' && 'cancelled' in outcome ? outcome.cancelled : null

/** A prompt that ended without a passkey. Apart from the errors of requests, which /signin loads later. */
export class PromptError extends Error {
  override readonly name = 'PromptError'
  readonly end: PromptEnd

  constructor(end: PromptEnd, cause?: unknown) {
    super(end, { cause })
    this.end = end
  }
}
