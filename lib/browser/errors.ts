import type { ErrorCode } from '@/lib/api/errors'
import type { Words } from '@/lib/messages/en'
import { duration, fill, timeUntil } from '@/lib/messages/format'
import { pageLocale, pageRoom } from '@/lib/messages/page-words'
import { describeWebAuthnError } from './webauthn-errors'

/** A failure in words. `title` is empty when the sentences in `fields` say it all. */
export interface Failure {
  title: string
  detail: string
  fields: Record<string, string>
  code: string
  /** Only the people who run the service can help. */
  asksSupport?: boolean
}

/** How an action ended. `cancelled`: the person closed the prompt, which is not an error. */
export type Outcome = 'done' | 'cancelled' | Failure

/** Codes of the browser's own, for what no response says. */
type ClientCode =
  | 'offline'
  | 'unreachable'
  | 'session_lost'
  | 'signed_in_meanwhile'
  | 'another_account'
  | 'user_not_verified'

export type FailureCode = ErrorCode | ClientCode

interface ErrorDetails {
  error?: string
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

export const isCode = (error: unknown, code: FailureCode): error is ApiClientError =>
  error instanceof ApiClientError && error.code === code

const clockTolerance = 2 * 60_000

/** An action's own words: the title of its failure, what to check after a 401, and whether its form shows errors at fields. */
export interface Wording {
  title?: string
  denied?: string
  hasFields?: boolean
}

/** Turns whatever an action threw into a title, the likely cause and sentences per field. */
export function describeFailure(thrown: unknown, wording: Wording): Failure | 'cancelled' {
  const { denied, hasFields = false } = wording
  const words = pageRoom('failures')
  const title = titleOf(thrown, words) ?? wording.title ?? words.failed
  if (!(thrown instanceof ApiClientError)) {
    const details = describeWebAuthnError(thrown, words)
    return details ? { title, fields: {}, ...details } : 'cancelled'
  }
  const { code, details } = thrown
  const fields = code === 'username_taken' ? { username: words.usernameTaken } : details.fields
  if (fields && hasFields) return { title: '', detail: '', fields, code }
  const detail = likelyCause(thrown, denied, words)
  return { title, detail, fields: {}, code, asksSupport: code === 'account_disabled' }
}

/** Of a failure that has one cause. */
const titleOf = (thrown: unknown, words: Sentences) =>
  isCode(thrown, 'account_disabled') ? words.accountDisabled : null

type Sentences = Words['failures']

/** The sentence of a code, where it is not the server's own. */
const sentences: Partial<Record<FailureCode, Exclude<keyof Sentences, 'passkey' | 'support'>>> = {
  authentication_failed: 'tryAnotherWay',
  unknown_passkey: 'unknownPasskey',
  signed_in_meanwhile: 'signedInMeanwhile',
  user_not_verified: 'userNotVerified',
  passkey_taken: 'passkeyTaken',
  reauthentication_required: 'reauthenticate',
  not_signed_in: 'signedOut',
  offline: 'offline',
  unreachable: 'unreachable',
}

function likelyCause({ code, details }: ApiClientError, denied: string | undefined, words: Sentences): string {
  const { skew = 0, retryAfter, error } = details
  const here = aboutSessions.has(code) ? causeOnThisDevice(skew, code === 'session_lost', words) : null
  if (here) return here
  if (retryAfter) {
    const when = timeUntil(pageLocale(), retryAfter)
    return fill(pageLocale(), code === 'too_many_attempts' ? words.tooManyAttempts : words.busy, { when })
  }
  if (code === 'authentication_failed' && denied) return denied
  const key = sentences[code]
  return key ? words[key] : (error ?? words.ours)
}

const aboutSessions = new Set<FailureCode>(['authentication_failed', 'session_lost', 'not_signed_in'])

/** A cause that the page itself can detect. `lost`: signing in succeeded, but the next request had no session. */
function causeOnThisDevice(skew: number, lost: boolean, words: Sentences): string | null {
  if (!navigator.cookieEnabled) return words.noCookies
  if (Math.abs(skew) > clockTolerance) {
    const amount = duration(pageLocale(), Math.abs(skew) / 1000)
    return fill(pageLocale(), skew > 0 ? words.clockFast : words.clockSlow, { amount })
  }
  if (!lost) return null
  return window.isSecureContext ? words.sessionLost : words.notHttps
}
