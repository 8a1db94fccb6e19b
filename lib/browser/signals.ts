import { sendSignal } from '@simplewebauthn/browser'
import type { Account } from '@/lib/api/schemas'

/*
 * The Signal API (WebAuthn level 3, section 5.1.10) keeps what password managers offer in step with what is registered here.
 * A browser may not have it and a password manager may not listen, so nothing depends on a signal and none is waited for.
 */

/** This passkey is not registered here: the password manager may stop offering it. */
export function signalUnknown(rpId: string | undefined, credentialId: string): void {
  quietly({ signalName: 'unknownCredential', rpID: rpId ?? window.location.hostname, credentialID: credentialId })
}

/** These are all of the account's passkeys. The list must be complete: a password manager hides the ones that it does not name. */
export function signalAccepted({
  rpId,
  userHandle,
  passkeys,
}: Pick<Account, 'rpId' | 'userHandle' | 'passkeys'>): void {
  quietly({
    signalName: 'allAcceptedCredentials',
    rpID: rpId,
    userID: userHandle,
    allAcceptedCredentialIDs: passkeys.map(({ id }) => id),
  })
}

/** The account is called this now. */
export function signalDetails({ rpId, userHandle, username }: Pick<Account, 'rpId' | 'userHandle' | 'username'>): void {
  quietly({
    signalName: 'currentUserDetails',
    rpID: rpId,
    userID: userHandle,
    userName: username,
    userDisplayName: username,
  })
}

function quietly(signal: Parameters<typeof sendSignal>[0]): void {
  sendSignal(signal).catch(() => undefined)
}
