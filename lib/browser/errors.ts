import type { ErrorCode } from '@/lib/api/errors'
import { errorTitles } from '@/lib/messages/en'
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
  const title = titleOf(thrown) ?? wording.title ?? 'Authentication Failed'
  if (!(thrown instanceof ApiClientError)) {
    const details = describeWebAuthnError(thrown)
    return details ? { title, fields: {}, ...details } : 'cancelled'
  }
  const { code, details } = thrown
  const fields = code === 'username_taken' ? { username: 'This username is taken.' } : details.fields
  if (fields && hasFields) return { title: '', detail: '', fields, code }
  return { title, detail: likelyCause(thrown, denied), fields: {}, code, asksSupport: code === 'account_disabled' }
}

/** Of a failure that has one cause. */
const titleOf = (thrown: unknown) =>
  thrown instanceof ApiClientError ? (errorTitles as Partial<Record<FailureCode, string>>)[thrown.code] : undefined

/** A duration in words. Rounded up by default, so that a retry after it is never too early. */
function describeDuration(seconds: number, round = Math.ceil): string {
  // Hours and days only from two up: "90 minutes" is more precise than "2 hours".
  const [, size, unit] = units.find(([from]) => seconds >= from) ?? [0, 1, 'second']
  const count = Math.max(1, round(seconds / size))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const units: [from: number, size: number, unit: string][] = [
  [172_800, 86_400, 'day'],
  [7_200, 3_600, 'hour'],
  [60, 60, 'minute'],
]

const sentences: Partial<Record<FailureCode, string>> = {
  authentication_failed: 'Try again, or use another way to sign in.',
  unknown_passkey: 'This passkey is no longer registered here. Use another passkey or another way to sign in.',
  signed_in_meanwhile: "You're already signed in, possibly in another tab. Sign out before you create another account.",
  user_not_verified:
    "Your device didn't check that it's you: it asked for no fingerprint, face or PIN. Confirm it's you in another way, or try again once it can ask.",
  passkey_taken: 'This device already has a passkey for this account.',
  reauthentication_required: 'Sign in again to continue.',
  not_signed_in: "You're signed out. Sign in again to continue.",
  offline: "You're offline. Check your connection and try again.",
  unreachable: "Couldn't reach the server. Check your connection and try again.",
}
const ours = 'Something went wrong on our end. Try again in a moment.'

function likelyCause({ code, details }: ApiClientError, denied: string | undefined): string {
  const { skew = 0, retryAfter, error } = details
  const here = aboutSessions.has(code) ? causeOnThisDevice(skew, code === 'session_lost') : null
  if (here) return here
  if (retryAfter) {
    const reason = code === 'too_many_attempts' ? 'Too many attempts.' : 'The service is busy.'
    return `${reason} Try again in ${describeDuration(retryAfter)}.`
  }
  if (code === 'authentication_failed' && denied) return denied
  return sentences[code] ?? error ?? ours
}

const aboutSessions = new Set<FailureCode>(['authentication_failed', 'session_lost', 'not_signed_in'])

/** A cause that the page itself can detect. `lost`: signing in succeeded, but the next request had no session. */
function causeOnThisDevice(skew: number, lost: boolean): string | null {
  if (!navigator.cookieEnabled) return 'Cookies are turned off in this browser. Allow them for this site and try again.'
  if (Math.abs(skew) > clockTolerance) {
    const amount = describeDuration(Math.abs(skew) / 1000, Math.round)
    return `This device's clock is ${amount} ${skew > 0 ? 'fast' : 'slow'}. Correct it and try again.`
  }
  if (!lost) return null
  if (!window.isSecureContext) return "This page isn't served over HTTPS, so the browser didn't keep you signed in."
  return "The browser didn't keep you signed in. Allow cookies for this site and try again."
}
