import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { attempt, confirmSession } from './attempt'
import { authenticate } from './ceremony'
import type { Outcome } from './failure'
import { post } from './post'

/** Signs in with a password, which goes as typed: only the username is trimmed. */
export function signIn(username: string, password: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/signin', { username: username.trim(), password })
    await confirmSession()
  }
  return attempt(action, { hasFields: true, denied: 'Check the username and the password.' })
}

/** Signs in with a passkey that the person picks in the browser's own dialog. */
export function signInWithPasskey(): Promise<Outcome> {
  return attempt(async () => authenticate(await post('/api/auth/login/options')))
}

/** Tells whether the browser offers passkeys among what it fills in. */
export const canAutofillPasskeys = browserSupportsWebAuthnAutofill

/**
 * Offers passkeys where the browser fills in a username, and signs in when one is picked (WebAuthn level 3, section 5.1.4, conditional mediation).
 * @param signal takes the offer back; without effect once a passkey is picked
 * @param onPicked called between the pick and the request that signs in
 */
export function offerPasskeys(signal: AbortSignal, onPicked: () => void): Promise<Outcome> {
  return attempt(async () => {
    const options = await post<PublicKeyCredentialRequestOptionsJSON>('/api/auth/login/options')
    signal.throwIfAborted()
    signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony(), { once: true })
    await authenticate(options, onPicked)
  })
}
