import type { Words } from '@/lib/messages/en'
import { hasPasskeys } from '../passkeys/support'
import type { Cause } from './outcomes'

type Sentences = Words['failures']

/**
 * By SimpleWebAuthn's code, then by the error's name: those in WebAuthn Level 3 (sections 5.1.3 and 5.1.4), and those that
 * only some browsers use.
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

/** Aborted by another ceremony, or without a prompt (autofill); `duringPrompt()` handles the others. */
const cancellations = new Set(['NotAllowedError', 'AbortError'])

/** Titles for the sentences above; without one, the action's is shown. */
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

/** A browser's error in words; null if the ceremony was cancelled. */
export function describeWebAuthnError(thrown: unknown, words: Sentences): Cause | null {
  const { name, code } =
    thrown instanceof Error ? (thrown as Error & { code?: unknown }) : { name: 'unknown', code: '' }
  if (cancellations.has(name)) return null
  const key = sentences[String(code)] ?? sentences[name]
  if (key)
    return { title: titles[key] ?? null, detail: key === 'internalError' ? words.tryAgainSoon : words.passkey[key] }
  return { title: null, detail: hasPasskeys() ? words.passkey.unable : words.unsupported.browser }
}
