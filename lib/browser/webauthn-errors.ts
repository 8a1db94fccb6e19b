const elsewhere = 'Use a phone or another security key.'
const here = 'This device already has a passkey for this account.'
const address = "Passkeys for this site don't work at this address. Open the site at its usual address."
const stuck = "The device couldn't complete the request. Unlock it or reconnect your security key, then try again."
const busy = 'Another passkey prompt may be open. Close it and try again.'
const ours = 'Something went wrong on our end. Try again in a moment.'

/**
 * By SimpleWebAuthn's code, then by the error's name: those in WebAuthn Level 3 (sections 5.1.3 and 5.1.4), and those that
 * only some browsers use.
 */
const sentences: Record<string, string> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: `${here} Sign in with it, or add one on another device.`,
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: `This device can't store passkeys. ${elsewhere}`,
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    "This device can't verify it's you. Set up a screen lock or PIN, or use another device.",
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: `This device can't create the kind of passkey this site needs. ${elsewhere}`,
  ERROR_AUTHENTICATOR_GENERAL_ERROR: stuck,
  ERROR_INVALID_DOMAIN: "Passkeys don't work on an IP address. Open the site by its domain name.",
  ERROR_INVALID_RP_ID: address,
  ERROR_INVALID_USER_ID_LENGTH: ours,
  ERROR_MALFORMED_PUBKEYCREDPARAMS: ours,
  InvalidStateError: busy,
  SecurityError: address,
  NotSupportedError: `This device can't use the kind of passkey this site needs. ${elsewhere}`,
  ConstraintError: `This device can't store passkeys. ${elsewhere}`,
  UnknownError: stuck,
  NotReadableError: stuck,
  OperationError: busy,
  TimeoutError: 'The request timed out. Try again.',
  TypeError: ours,
}

/** The prompt was closed or timed out, or another ceremony aborted it; the specification does not tell these apart further. */
const cancellations = new Set(['NotAllowedError', 'AbortError'])

/** A browser's error in words; null if the ceremony was cancelled. */
export function describeWebAuthnError(thrown: unknown): { detail: string; code: string } | null {
  const { name, code } =
    thrown instanceof Error ? (thrown as Error & { code?: unknown }) : { name: 'unknown', code: '' }
  if (cancellations.has(name)) return null
  return { detail: sentences[String(code)] ?? sentences[name] ?? unable(), code: name }
}

const unable = () =>
  'PublicKeyCredential' in window
    ? "The passkey couldn't be used. Try again."
    : "This browser doesn't support passkeys."
