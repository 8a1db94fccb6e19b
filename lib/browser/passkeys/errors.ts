const elsewhere = 'Use a phone or another security key.'
const here = 'This device already has a passkey for this account.'
const address = 'Passkeys of this service do not work at this address. Open it at the address that it is known by.'
const stuck = 'The device could not finish. Unlock it, or plug the security key in again, and try once more.'
const busy = 'Another prompt may be in the way. Close it and try again.'
const ours = 'Something went wrong on our side. Try again in a moment.'

/**
 * What went wrong in the browser or the device, and what to do about it: first by the code that SimpleWebAuthn finds for it, then by the
 * name that the specification gives it (WebAuthn level 3, sections 5.1.3 and 5.1.4) or that some browser gives it of its own.
 */
const sentences: Record<string, string> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: `${here} Sign in with that one, or add one on another device.`,
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: `This device cannot keep a passkey. ${elsewhere}`,
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This device cannot check that it is you. Set up its screen lock or PIN, or use another device.',
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: `This device cannot make the kind of passkey that is needed here. ${elsewhere}`,
  ERROR_AUTHENTICATOR_GENERAL_ERROR: stuck,
  ERROR_INVALID_DOMAIN: 'Passkeys need an address with a name, and this one has none. Open the site by its name.',
  ERROR_INVALID_RP_ID: address,
  ERROR_INVALID_USER_ID_LENGTH: ours,
  ERROR_MALFORMED_PUBKEYCREDPARAMS: ours,
  InvalidStateError: busy,
  SecurityError: address,
  NotSupportedError: `This device cannot use the kind of passkey that is needed here. ${elsewhere}`,
  ConstraintError: `This device cannot keep a passkey. ${elsewhere}`,
  UnknownError: stuck,
  NotReadableError: stuck,
  OperationError: busy,
  TimeoutError: 'It took too long. Try again.',
  TypeError: ours,
}

/** A prompt that was closed, or took too long, and one that was called off by another: the specification has no other names for them. */
const cancellations = new Set(['NotAllowedError', 'AbortError'])

/** What a person is told of an error that the browser threw; null when they called the ceremony off themselves. */
export function describeWebAuthnError(thrown: unknown): { detail: string; code: string } | null {
  const { name, code } =
    thrown instanceof Error ? (thrown as Error & { code?: unknown }) : { name: 'unknown', code: '' }
  if (cancellations.has(name)) return null
  return { detail: sentences[String(code)] ?? sentences[name] ?? unable(), code: name }
}

const unable = () =>
  'PublicKeyCredential' in window ? 'The passkey could not be used. Try again.' : 'This browser has no passkeys.'
