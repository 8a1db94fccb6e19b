import { type AuthenticationResponseJSON, WebAuthnAbortService } from '@simplewebauthn/browser'
import type { AuthenticationOptions } from '@/lib/api/schemas'

/** How a passkey is asked for: by the browser's usual prompt, unless this says otherwise. */
type Way = Pick<CredentialRequestOptions, 'mediation'> & { uiMode?: 'immediate' }

/**
 * Asks the browser for a passkey's answer (WebAuthn Level 3, section 5.1.4). Aborts the ceremony before, as SimpleWebAuthn's
 * do; `WebAuthnAbortService` aborts this one.
 *
 * Not through SimpleWebAuthn's `startAuthentication()`: while it checks for autofill, nothing can withdraw the offer that
 * follows, and a press would open a second ceremony. Not through `toJSON()`, either: password managers that stand in for the
 * browser lack it.
 *
 * @throws DOMException the browser's; NotAllowedError also if there is no answer
 */
export async function requestAssertion(
  { challenge, allowCredentials, ...options }: Partial<AuthenticationOptions> & { challenge: string },
  way: Way = {},
): Promise<AuthenticationResponseJSON> {
  const listed = allowCredentials?.map((one) => ({ ...one, id: decode(one.id) }))
  const publicKey = { ...options, challenge: decode(challenge), ...(listed?.length && { allowCredentials: listed }) }
  const signal = WebAuthnAbortService.createNewAbortSignal()
  const request = { ...way, publicKey, ...(!way.uiMode && { signal }) } as CredentialRequestOptions
  const credential = (await navigator.credentials.get(request)) as PublicKeyCredential | null
  if (!credential) throw new DOMException('no passkey was chosen', 'NotAllowedError')
  const response = credential.response as AuthenticatorAssertionResponse
  return {
    id: credential.id,
    rawId: encode(credential.rawId),
    type: 'public-key',
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      authenticatorData: encode(response.authenticatorData),
      signature: encode(response.signature),
      ...(response.userHandle && { userHandle: encode(response.userHandle) }),
    },
    clientExtensionResults: credential.getClientExtensionResults(),
    authenticatorAttachment: credential.authenticatorAttachment as AuthenticatorAttachment,
  }
}

/** Bytes as base64url (RFC 4648 section 5), and back. Browsers have methods for it since 2025 only. */
const encode = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const decode = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0)).buffer
