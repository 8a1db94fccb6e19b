import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser'
import { pageRoom } from '@/lib/messages/page-words'
import { requireSessionCookie } from './account'
import { capability } from './capabilities'
import type { Outcome } from './errors'
import { authenticate } from './passkeys/ceremony'
import { createPasskeyConditionally } from './passkeys/conditional-create'
import { forgetCrossDevice } from './passkeys/cross-device'
import { authenticateImmediately, canOfferImmediately } from './passkeys/immediate'
import { post } from './post'
import { runAction } from './run-action'

/**
 * Signs in with a password. The username is trimmed, the password is not.
 *
 * @param conditionalCreate whether the password manager may then create a passkey
 */
export function signInWithPassword(
  username: string,
  password: string,
  { conditionalCreate = false } = {},
): Promise<Outcome> {
  const action = async () => {
    await post('/api/signin', { username: username.trim(), password })
    await requireSessionCookie()
    forgetCrossDevice()
    if (conditionalCreate) await createPasskeyConditionally()
  }
  return runAction(action, { hasFields: true, denied: pageRoom('failures').checkUsernameAndPassword })
}

/** Signs in with a recovery code, which is then used up. */
export function signInWithRecoveryCode(username: string, code: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/signin/recovery', { username: username.trim(), code })
    await requireSessionCookie()
    forgetCrossDevice()
  }
  return runAction(action, { hasFields: true, denied: pageRoom('failures').checkUsernameAndCode })
}

/**
 * Signs in with a passkey, when a button is pressed. During a session, signs in to the same account again.
 *
 * @param fromHere with a passkey of this device if the browser can say that there is none; else by its usual prompt, which
 *   also takes a phone or a security key
 */
export function signInWithPasskey({ fromHere = false } = {}): Promise<Outcome> {
  return runAction(async () => {
    const options = await post('/api/auth/login/options')
    const immediately = fromHere && !options.allowCredentials?.length && (await canOfferImmediately())
    if (!immediately) return authenticate(options)
    // Two ceremonies at once are an error. The usual prompt would end autofill's by itself.
    WebAuthnAbortService.cancelCeremony()
    return authenticate(options, authenticateImmediately)
  })
}

/** Has this browser remember the username for the next sign-in, or no longer. Failing is no reason to stay on the page. */
export const rememberUsername = (remember: boolean) => post('/api/i/hint', { remember }).catch(() => null)

export const canAutofillPasskeys = async () => (await capability('conditionalGet')) !== 'unsupported'

/**
 * Offers passkeys in the username's autofill, and signs in when one is picked (conditional mediation, WebAuthn Level 3,
 * section 5.1.4).
 *
 * @param signal withdraws the offer; has no effect once a passkey was picked
 * @param onPicked called before the request that signs in
 */
export function offerPasskeys(signal: AbortSignal, onPicked: () => void): Promise<Outcome> {
  return runAction(async () => {
    const options = await post('/api/auth/login/options')
    signal.throwIfAborted()
    signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony(), { once: true })
    await authenticate(options, async (optionsJSON) => {
      const answer = await startAuthentication({ optionsJSON, useBrowserAutofill: true })
      onPicked()
      return answer
    })
  })
}
