import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import type { AuthenticationOptions } from '@/lib/api/schemas'
import { capability, mayHave } from './capabilities'
import { decodeRequest, getResponse } from './credentials'
import { duringPrompt } from './prompt'

/**
 * Whether the browser can offer this device's passkeys and no others. False on a device that reports it stores none: people
 * use a security key there, which should not take a second press.
 */
export const canOfferImmediately = async () =>
  (await capability('immediateGet')) === 'supported' && mayHave('passkeyPlatformAuthenticator')

/**
 * Offers the passkeys of this device (`uiMode: 'immediate'`, WebAuthn pull request 2291). Browsers allow it right after a press only, without a list of passkeys and without an abort signal: a page could
 * otherwise find out in silence which passkeys there are.
 *
 * @throws PromptError `none_here` if there is none, or the person chose none
 */
export function requestImmediately(options: AuthenticationOptions): Promise<AuthenticationResponseJSON> {
  const { challenge, rpId, userVerification } = options
  const publicKey = decodeRequest({ challenge, rpId, userVerification })
  const immediate: CredentialRequestOptions & { uiMode: 'immediate' } = { publicKey, uiMode: 'immediate' }
  return duringPrompt(() => getResponse(immediate), { late: 'none_here', atOnce: 'none_here' })
}
