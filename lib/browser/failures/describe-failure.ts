import type { Words } from '@/lib/messages/en'
import { duration, timeUntil } from '@/lib/messages/format/dates'
import { fill } from '@/lib/messages/format/text'
import { pageLocale, pageNamespace } from '@/lib/messages/page-words'
import { hasPasskeys } from '../passkeys/capabilities'
import { ApiClientError } from './errors'
import { type Cancelled, type Cause, type Failure, type FailureCode, type Outcome, PromptError } from './outcomes'

/** Runs an action and describes its failure. Never rejects, so callers need no catch. */
export async function runAction(action: () => Promise<unknown>, wording: Wording = {}): Promise<Outcome> {
  try {
    await action()
    return 'done'
  } catch (thrown) {
    return describeFailure(thrown, wording)
  }
}

/** An action whose errors have sentences with a particular meaning here, by code. */
export const withSentences =
  (sentences: Partial<Record<FailureCode, string>>, action: () => Promise<unknown>) => (): Promise<unknown> =>
    action().catch((error: unknown) => {
      if (!(error instanceof ApiClientError)) throw error
      const sentence = sentences[error.code]
      throw sentence ? new ApiClientError(error.code, { ...error.details, sentence }) : error
    })

/** An action's own words: the title of its failure, what a 401 means, what works while it is locked, and the fields of its form. */
interface Wording {
  title?: string
  denied?: string
  /** The title of a 401 that is no failed sign-in */
  deniedTitle?: Cause['title']
  lockedOut?: Words['failures']['lockedOut' | 'lockedOutCodes']
  fields?: string[]
}

type Sentences = Words['failures']

/** Turns whatever an action threw into a title, the likely cause and sentences per field. */
function describeFailure(thrown: unknown, wording: Wording): Failure | Cancelled {
  const words = pageNamespace('failures')
  if (thrown instanceof PromptError) return { cancelled: thrown.end }
  if (!(thrown instanceof ApiClientError)) {
    const cause = describeWebAuthnError(thrown, words)
    if (!cause) return { cancelled: 'closed' }
    return { ...inWords(cause, wording.title, words.titles.passkey), fields: {}, code: null }
  }
  const { code, details } = thrown
  const fields = code === 'username_taken' ? { username: words.usernameTaken } : details.fields
  // An error at any other field, as of a malformed passkey response, would appear nowhere.
  if (fields && wording.fields?.some((name) => name in fields)) return { title: '', detail: '', fields, code }
  const cause = likelyCause(thrown, wording, words)
  // The end of the session is the title, since the action no longer matters.
  const action = code === 'not_signed_in' ? undefined : wording.title
  const needsSupport = code === 'account_disabled'
  return { ...inWords(cause, action, words.failed), fields: {}, code, needsSupport, retryAfter: details.retryAfter }
}

function inWords({ title, detail }: Cause, action: string | undefined, otherwise: string) {
  const { titles, because } = pageNamespace('failures')
  if (!title) return { title: action ?? otherwise, detail }
  // "Couldn't add the passkey" would make a failure of it.
  if (title === 'hasPasskey') return { title: titles[title], detail, isHarmless: true }
  return { title: titles[title], detail: action ? fill(pageLocale(), because, { action, detail }) : detail }
}

type Sentence = { [K in keyof Sentences]: Sentences[K] extends string ? K : never }[keyof Sentences]

/** Titles by code, with a sentence where the server's own does not fit. */
const causes: Partial<Record<FailureCode, [title: Cause['title'], detail?: Sentence]>> = {
  authentication_failed: [null, 'tryAnotherWay'],
  unknown_passkey: ['unknownPasskey', 'unknownPasskey'],
  passkey_copied: ['passkeyCopied', 'passkeyCopied'],
  account_disabled: ['accountDisabled'],
  sign_up_closed: ['signUpClosed'],
  signed_in_meanwhile: ['signedInMeanwhile', 'signedInMeanwhile'],
  user_not_verified: ['userNotVerified', 'userNotVerified'],
  reauthentication_required: [null, 'reauthenticate'],
  not_signed_in: ['signedOut', 'reauthenticate'],
  offline: ['offline', 'checkConnection'],
  unreachable: ['unreachable', 'checkConnection'],
  too_many_attempts: ['tooManyAttempts', 'tryAgainSoon'],
  unavailable: ['busy', 'tryAgainSoon'],
  internal_error: ['internalError', 'tryAgainSoon'],
}

function likelyCause(
  { code, details }: ApiClientError,
  { denied, deniedTitle = null, lockedOut }: Wording,
  words: Sentences,
): Cause {
  const { skew = 0, retryAfter, error, sentence } = details
  const here = aboutSessions.has(code) ? causeOnThisDevice(skew, code === 'session_lost', words) : null
  if (here) return here
  if (code === 'authentication_failed' && denied) return { title: deniedTitle, detail: denied }
  if (code === 'passkey_taken') return { title: 'hasPasskey', detail: words.passkey.alreadyHere }
  const [title, key] = causes[code] ?? [error || sentence ? null : ('internalError' as const)]
  if (sentence) return { title, detail: sentence }
  if (retryAfter) {
    const when = timeUntil(pageLocale(), retryAfter)
    if (lockedOut) return { title: 'tooManyPasswords', detail: fill(pageLocale(), lockedOut, { when }) }
    return { title, detail: fill(pageLocale(), words.tryAgain, { when }) }
  }
  return { title, detail: key ? words[key] : (error ?? words.tryAgainSoon) }
}

/** A device whose clock is off, or that keeps no cookies, has lost its session; it says nothing of a wrong password. */
const aboutSessions = new Set<FailureCode>(['session_lost', 'not_signed_in'])
const clockTolerance = 2 * 60_000

/** A cause that the page itself can detect. `lost`: signing in succeeded, but the next request had no session. */
function causeOnThisDevice(skew: number, lost: boolean, words: Sentences): Cause | null {
  if (navigator.cookieEnabled === false) return { title: 'noCookies', detail: words.allowCookies }
  if (Math.abs(skew) > clockTolerance) {
    const amount = duration(pageLocale(), Math.abs(skew) / 1000)
    return { title: 'clock', detail: fill(pageLocale(), skew > 0 ? words.clockFast : words.clockSlow, { amount }) }
  }
  if (!lost) return null
  return { title: 'notKept', detail: window.isSecureContext ? words.allowCookies : words.notHttps }
}

/** Says a browser's error in words; null if somebody cancelled the ceremony. */
export function describeWebAuthnError(thrown: unknown, words: Sentences): Cause | null {
  const { name, code } =
    thrown instanceof Error ? (thrown as Error & { code?: unknown }) : { name: 'unknown', code: '' }
  if (cancellations.has(name)) return null
  const key = sentences[String(code)] ?? sentences[name]
  if (key)
    return { title: titles[key] ?? null, detail: key === 'internalError' ? words.tryAgainSoon : words.passkey[key] }
  return { title: null, detail: hasPasskeys() ? words.passkey.unable : words.unsupported.browser }
}

/**
 * Sentences by SimpleWebAuthn's code, then by the error's name: those in WebAuthn Level 3 (sections 5.1.3 and 5.1.4), and those
 * that only some browsers use.
 */
const sentences: Record<string, Exclude<keyof Sentences['passkey'], 'unable'> | 'internalError'> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'alreadyHere',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'cannotStore',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT: 'cannotVerify',
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: 'cannotCreate',
  ERROR_AUTHENTICATOR_GENERAL_ERROR: 'stuck',
  ERROR_INVALID_DOMAIN: 'ipAddress',
  ERROR_INVALID_RP_ID: 'otherAddress',
  ERROR_INVALID_USER_ID_LENGTH: 'internalError',
  ERROR_MALFORMED_PUBKEYCREDPARAMS: 'internalError',
  InvalidStateError: 'otherPrompt',
  SecurityError: 'otherAddress',
  NotSupportedError: 'cannotUse',
  ConstraintError: 'cannotStore',
  UnknownError: 'stuck',
  NotReadableError: 'stuck',
  OperationError: 'otherPrompt',
  TimeoutError: 'timedOut',
  TypeError: 'internalError',
}

/** Errors of a ceremony that another one aborted, or that had no prompt (autofill); `duringPrompt()` handles the others. */
const cancellations = new Set(['NotAllowedError', 'AbortError'])

/** Titles for the sentences above; without one, the page shows the action's. */
const titles: Partial<Record<(typeof sentences)[string], Cause['title']>> = {
  alreadyHere: 'hasPasskey',
  cannotStore: 'cannot',
  cannotVerify: 'cannot',
  cannotCreate: 'cannot',
  cannotUse: 'cannot',
  ipAddress: 'wrongAddress',
  otherAddress: 'wrongAddress',
  internalError: 'internalError',
}
