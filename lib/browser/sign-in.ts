import { WebAuthnAbortService } from '@simplewebauthn/browser'
import { capability } from './capabilities'
import type { Outcome } from './errors'
import { authenticate } from './passkeys/ceremony'
import { createPasskeyConditionally } from './passkeys/conditional-create'
import { forgetCrossDevice } from './passkeys/cross-device'
import { post } from './post'
import { requireSessionCookie, runAction } from './run-action'

/**
 * Signs in with a password, which goes as typed: only the username is trimmed.
 * @param conditionalCreate whether the password manager is then asked for a passkey beside the password
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
  return runAction(action, { hasFields: true, denied: 'Check the username and the password.' })
}

/** Signs in with a recovery code, which is spent by it; how it is typed does not matter. */
export function signInWithRecoveryCode(username: string, code: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/signin/recovery', { username: username.trim(), code })
    await requireSessionCookie()
    forgetCrossDevice()
  }
  return runAction(action, { hasFields: true, denied: 'Check the username and the code. Each code works once.' })
}

/** Signs in with a passkey that the person picks in the browser's own dialog; with a session, again and with one of that account's. */
export function signInWithPasskey(): Promise<Outcome> {
  return runAction(async () => authenticate(await post('/api/auth/login/options')))
}

/** Tells whether the browser offers passkeys among what it fills in. */
export const canAutofillPasskeys = async () => (await capability('conditionalGet')) !== 'unsupported'

/**
 * Offers passkeys where the browser fills in a username, and signs in when one is picked (WebAuthn level 3, section 5.1.4, conditional mediation).
 * @param signal takes the offer back; without effect once a passkey is picked
 * @param onPicked called between the pick and the request that signs in
 */
export function offerPasskeys(signal: AbortSignal, onPicked: () => void): Promise<Outcome> {
  return runAction(async () => {
    const options = await post('/api/auth/login/options')
    signal.throwIfAborted()
    signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony(), { once: true })
    await authenticate(options, onPicked)
  })
}
