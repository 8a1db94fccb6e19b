import type { Account } from '@/lib/api/schemas'
import { fetchAccount } from '../requests/post'

/*
 * The Signal API (WebAuthn Level 3, section 5.1.10) keeps password managers in step with the passkeys registered here.
 * Browsers may lack it and password managers may ignore it, so we neither wait for signals nor look at their errors.
 */

interface UnknownPasskey {
  rpId: string | undefined
  credentialId: string
}

/** Signals that this passkey is not registered here; the password manager may stop offering it. */
export function signalUnknown({ rpId = window.location.hostname, credentialId }: UnknownPasskey): void {
  send((api) => api.signalUnknownCredential?.({ rpId, credentialId }))
}

/**
 * Signals all of the account's passkeys. Needs the complete list, because password managers hide passkeys that are missing from
 * it. Affects passkeys with the account's user handle; the others stay as they are.
 */
export function signalAccepted(account: Pick<Account, 'rpId' | 'userHandle' | 'passkeys'>): void {
  const { rpId, userHandle: userId } = account
  const allAcceptedCredentialIds = account.passkeys.map(({ id }) => id)
  send((api) => api.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }))
}

function signalDetails({ rpId, userHandle: userId, username: name, displayName }: Account): void {
  send((api) => api.signalCurrentUserDetails?.({ rpId, userId, name, displayName: displayName ?? name }))
}

/** Fetches the account and signals its passkeys and its names, which another device may have changed. Never rejects. */
export async function signalAccount(): Promise<void> {
  const signal = (account: Account) => {
    signalAccepted(account)
    signalDetails(account)
  }
  await fetchAccount().then(signal, () => undefined)
}

type SignalApi = Partial<
  Pick<
    typeof PublicKeyCredential,
    'signalUnknownCredential' | 'signalAllAcceptedCredentials' | 'signalCurrentUserDetails'
  >
>

async function send(signal: (api: SignalApi) => Promise<void> | undefined): Promise<void> {
  try {
    await signal(PublicKeyCredential)
  } catch {
    // Ignored, as described above.
  }
}
