import type { ErrorCode } from '@/lib/api/errors'
import { describeWebAuthnError } from './passkeys/errors'

/** What a person is told when something did not work. `title` is empty when the sentences in `fields` say it all. */
export interface Failure {
  title: string
  detail: string
  fields: Record<string, string>
  code: string
}

/** How an action ended. A prompt that the person closed is `cancelled`, which is not an error. */
export type Outcome = 'done' | 'cancelled' | Failure

/** Codes of the browser's own, for what no response says. */
type ClientCode = 'offline' | 'unreachable' | 'session_lost' | 'signed_in_meanwhile' | 'another_account'

export type FailureCode = ErrorCode | ClientCode

interface ErrorDetails {
  /** The server's own sentence. */
  error?: string
  /** A sentence by field. */
  fields?: Record<string, string>
  /** Seconds. */
  retryAfter?: number
  /** The status of the answer, when there was one. */
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

export const isCode = (error: unknown, code: FailureCode) => error instanceof ApiClientError && error.code === code

const clockTolerance = 2 * 60_000

/** What only the action itself knows: how to call its failure, what to check after a 401, and whether its page has the fields. */
export interface Wording {
  title?: string
  denied?: string
  hasFields?: boolean
}

/** The one place that words a failure for a person: what was thrown becomes a title, the likely cause and sentences by field. */
export function describeFailure(thrown: unknown, wording: Wording): Failure | 'cancelled' {
  const { title = 'Authentication Failed', denied, hasFields = false } = wording
  if (!(thrown instanceof ApiClientError)) {
    const details = describeWebAuthnError(thrown)
    return details ? { title, fields: {}, ...details } : 'cancelled'
  }
  const { code, details } = thrown
  const fields = code === 'username_taken' ? { username: 'This username is taken.' } : details.fields
  if (fields && hasFields) return { title: '', detail: '', fields, code }
  return { title, detail: likelyCause(thrown, denied), fields: {}, code }
}

/** Words a span of time; unless told otherwise it is rounded up, so that nobody who waits is sent back too early. */
function describeDuration(seconds: number, round = Math.ceil): string {
  // A unit is used from two of it up (minutes from one): "90 minutes" says more than "2 hours".
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
  unknown_passkey: 'This passkey is not known here anymore. Use another one, or your password.',
  signed_in_meanwhile: 'You are signed in by now, perhaps in another tab. To make another account, sign out first.',
  passkey_taken: 'This device already has a passkey for this account.',
  reauthentication_required: 'This needs a recent sign-in. Sign in again, then try once more.',
  not_signed_in: 'You are signed out. Sign in again to go on.',
  offline: 'This device is offline.',
  unreachable: 'The server could not be reached. Check the connection and try again.',
}
const ours = 'Something went wrong on our side. Try again in a moment.'

function likelyCause({ code, details }: ApiClientError, denied: string | undefined): string {
  const { skew = 0, retryAfter, error } = details
  const here = aboutSessions.has(code) ? causeOnThisDevice(skew, code === 'session_lost') : null
  if (here) return here
  if (retryAfter) {
    const reason = code === 'too_many_attempts' ? 'There were too many attempts.' : 'The service is busy.'
    return `${reason} Try again in ${describeDuration(retryAfter)}.`
  }
  if (code === 'authentication_failed' && denied) return denied
  return sentences[code] ?? error ?? ours
}

const aboutSessions = new Set<FailureCode>(['authentication_failed', 'session_lost', 'not_signed_in'])

/** A cause that the page can see from here. `lost`: the server let us in, yet the next request came without the session. */
function causeOnThisDevice(skew: number, lost: boolean): string | null {
  if (!navigator.cookieEnabled) return 'Cookies are off in this browser. Allow them for this site and try again.'
  if (Math.abs(skew) > clockTolerance) {
    const amount = describeDuration(Math.abs(skew) / 1000, Math.round)
    return `The clock of this device is ${amount} ${skew > 0 ? 'fast' : 'slow'}. Set it right and try again.`
  }
  if (!lost) return null
  if (!window.isSecureContext) return 'This address is not https, so the browser did not keep the session.'
  return 'The browser did not keep the session. Allow cookies for this site and try again.'
}
