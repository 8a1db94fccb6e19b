import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import type { AuthenticationOptions } from '@/lib/api/schemas'
import { capability, mayHave } from './capabilities'
import { duringPrompt } from './prompt'

/**
 * Whether the browser can offer this device's passkeys and no others. False on a device that reports it stores none: people
 * use a security key there, which should not take a second press.
 */
export const canOfferImmediately = async () =>
  (await capability('immediateGet')) === 'supported' && mayHave('passkeyPlatformAuthenticator')

/**
 * Offers the passkeys of this device (`uiMode: 'immediate'`, WebAuthn pull request 2291), which SimpleWebAuthn cannot ask
 * for. Browsers allow it right after a press only, without a list of passkeys and without an abort signal: a page could
 * otherwise find out in silence which passkeys there are.
 *
 * @throws PromptError `none_here` if there is none, or the person chose none
 */
export function requestImmediately(options: AuthenticationOptions): Promise<AuthenticationResponseJSON> {
  const { challenge, rpId = window.location.hostname, userVerification = 'preferred' } = options
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ challenge, rpId, userVerification })
  const immediate: CredentialRequestOptions & { uiMode: 'immediate' } = { publicKey, uiMode: 'immediate' }
  const ceremony = async () => {
    const credential = (await navigator.credentials.get(immediate)) as PublicKeyCredential | null
    if (!credential) throw new DOMException('no passkey was chosen', 'NotAllowedError')
    return credential.toJSON() as unknown as AuthenticationResponseJSON
  }
  return duringPrompt(ceremony, { late: 'none_here', atOnce: 'none_here' })
}
