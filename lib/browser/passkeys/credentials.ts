import {
  type AuthenticationResponseJSON,
  base64URLStringToBuffer,
  bufferToBase64URLString,
  type RegistrationResponseJSON,
  WebAuthnAbortService,
  WebAuthnError,
  type WebAuthnErrorCode,
} from '@simplewebauthn/browser'
import type { AuthenticationOptions, RegistrationOptions } from '@/lib/api/schemas'

/*
 * Calls `navigator.credentials` in JSON, for every ceremony. Password managers replace it, and each gets something else wrong:
 * `toJSON()`, `getClientExtensionResults()` or `getTransports()` is missing or throws, bytes belong to another window or are
 * text already, errors are no errors. SimpleWebAuthn's own call of the browser fails with such an answer, so we only use its
 * conversion of bytes, its abort signal and its codes of errors.
 */

type Request = Pick<AuthenticationOptions, 'challenge'> & Partial<AuthenticationOptions>

/**
 * Options as the browser takes them. `parseRequestOptionsFromJSON()` is missing in many browsers, and some managers remove it.
 */
export const decodeRequest = ({ challenge, allowCredentials, ...options }: Request) => ({
  ...options,
  challenge: base64URLStringToBuffer(challenge),
  ...(allowCredentials?.length && { allowCredentials: decodeDescriptors(allowCredentials) }),
})

const decodeDescriptors = (descriptors: NonNullable<AuthenticationOptions['allowCredentials']>) =>
  // The browser's type does not know the transport `cable`.
  descriptors.map((each) => ({ ...each, id: base64URLStringToBuffer(each.id) })) as PublicKeyCredentialDescriptor[]

/** Aborts with WebAuthnAbortService, and when another ceremony starts. */
export const getPasskey = async (options: AuthenticationOptions, mediation?: 'conditional') =>
  getResponse({
    publicKey: decodeRequest(options),
    ...(mediation && { mediation }),
    signal: WebAuthnAbortService.createNewAbortSignal(),
  })

/** Asks for a passkey's response (WebAuthn Level 3, section 5.1.4). */
export async function getResponse(options: CredentialRequestOptions): Promise<AuthenticationResponseJSON> {
  const answer = await answerOf(() => navigator.credentials.get(options))
  return {
    ...answer.shared(),
    response: {
      clientDataJSON: answer.required('clientDataJSON'),
      authenticatorData: answer.required('authenticatorData'),
      signature: answer.required('signature'),
      ...answer.optional('userHandle'),
    },
  }
}

/** Creates a passkey (WebAuthn Level 3, section 5.1.3). */
export async function createPasskey(
  { challenge, user, excludeCredentials, ...options }: RegistrationOptions,
  mediation?: 'conditional',
): Promise<RegistrationResponseJSON> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...options,
    challenge: base64URLStringToBuffer(challenge),
    user: { ...user, id: base64URLStringToBuffer(user.id) },
    excludeCredentials: decodeDescriptors(excludeCredentials),
  }
  // TypeScript does not know `mediation` here yet.
  const how = mediation && ({ mediation } as CredentialCreationOptions)
  const signal = WebAuthnAbortService.createNewAbortSignal()
  const answer = await answerOf(() => navigator.credentials.create({ publicKey, ...how, signal }), creationErrors)
  return {
    ...answer.shared(),
    response: {
      clientDataJSON: answer.required('clientDataJSON'),
      attestationObject: answer.required('attestationObject'),
      transports: answer.transports(),
    },
  }
}

/** The meanings of errors' names while the browser creates a passkey. */
const creationErrors: Record<string, WebAuthnErrorCode> = {
  ConstraintError: 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT',
  InvalidStateError: 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED',
  NotSupportedError: 'ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG',
}

/** @throws an Error with the name that the browser's or the password manager's has */
async function answerOf(ask: () => Promise<unknown>, codes: Record<string, WebAuthnErrorCode> = {}) {
  try {
    const credential = await ask()
    if (credential) return readAnswer(credential)
  } catch (thrown) {
    const cause = asError(thrown)
    const isIpAddress = cause.name === 'SecurityError' && /^\[|^[\d.]+$/.test(window.location.hostname)
    const code = isIpAddress ? 'ERROR_INVALID_DOMAIN' : codes[cause.name]
    throw code ? new WebAuthnError({ message: cause.message, code, cause }) : cause
  }
  throw new DOMException('There was no passkey in the answer', 'NotAllowedError')
}

/** Makes an Error of one of another window, or of an object like one, which is none here. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { name, message } = Object(thrown) as { name?: unknown; message?: unknown }
  return Object.assign(new Error(String(message)), { name: String(name) })
}

/** Reads each member by itself, also those that `toJSON()` leaves out. */
function readAnswer(credential: unknown) {
  const json = attempt(() => (credential as PublicKeyCredential).toJSON())
  const inResponse = (name: string) =>
    encode(member(member(credential, 'response'), name)) ?? encode(member(member(json, 'response'), name))

  function required(name: string): string {
    const value = inResponse(name)
    if (value === undefined) throw new Error(`The answer has no ${name}`)
    return value
  }
  return {
    required,
    /** Counts an empty user handle as none. */
    optional(name: 'userHandle') {
      const value = inResponse(name)
      return value !== undefined && { [name]: value }
    },
    transports() {
      const response = member(credential, 'response') as AuthenticatorAttestationResponse
      const reported: unknown =
        attempt(() => response.getTransports()) ?? member(member(json, 'response'), 'transports')
      const texts = Array.isArray(reported) ? reported.filter((one) => typeof one === 'string') : []
      return texts as NonNullable<RegistrationResponseJSON['response']['transports']>
    },
    shared() {
      const id = [member(credential, 'rawId'), member(json, 'rawId'), member(credential, 'id')]
        .map(encode)
        .find(Boolean)
      if (id === undefined) throw new Error('The answer has no id')
      const attachment = member(credential, 'authenticatorAttachment') ?? member(json, 'authenticatorAttachment')
      const isKnown = attachment === 'platform' || attachment === 'cross-platform'
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        // The server reads no extension's result.
        clientExtensionResults: {},
        ...(isKnown && { authenticatorAttachment: attachment as AuthenticatorAttachment }),
      }
    },
  }
}

/** Reads something whose getter or method may throw. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const member = (of: unknown, name: string): unknown => attempt(() => (of as Record<string, unknown>)[name])

/** Bytes of any window as base64url, which text is already. Undefined for anything else, and for nothing. */
function encode(value: unknown): string | undefined {
  if (typeof value === 'string') return value.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '') || undefined
  if (typeof value !== 'object' || value === null) return undefined
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : attempt(() => new Uint8Array(value as ArrayBuffer))
  return bytes?.length ? bufferToBase64URLString(bytes as unknown as ArrayBuffer) : undefined
}
