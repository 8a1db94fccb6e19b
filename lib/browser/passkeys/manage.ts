import type { Account, Passkey } from '@/lib/api/schemas'
import { runOnAccount, signalCurrentPasskeys, signalCurrentUsername } from '../account-action'
import type { Outcome } from '../errors'
import { post } from '../post'
import { register } from './ceremony'

/**
 * Adds a passkey to the signed-in account.
 *
 * @param promotion asks for one on this very device; otherwise the person may choose a phone or a security key as well
 */
export function addPasskey(account: Account, { promotion = false } = {}): Promise<Outcome> {
  const action = async () => {
    await register(promotion ? { promotion } : {})
    await signalCurrentPasskeys()
  }
  return runOnAccount(account, action, { title: 'The passkey was not added' })
}

/** Gives a passkey another name, which only its owner sees, and which no signal carries: the password manager hears the username again. */
export function renamePasskey(account: Account, { id }: Passkey, name: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/i/passkeys/rename', { id, name: name.trim() })
    await signalCurrentUsername()
  }
  return runOnAccount(account, action, {
    title: 'The passkey was not renamed',
    hasFields: true,
    words: { not_found: removedElsewhere },
  })
}

/** Removes a passkey, here and then in the password manager that keeps it. */
export function removePasskey(account: Account, { id }: Passkey): Promise<Outcome> {
  const action = async () => {
    await post('/api/i/passkeys/remove', { id })
    await signalCurrentPasskeys()
  }
  return runOnAccount(account, action, {
    title: 'The passkey was not removed',
    words: { not_found: removedElsewhere, last_way_in: onlyWayIn },
  })
}

const removedElsewhere = 'It is not there anymore: it was removed in another tab or on another device.'

const onlyWayIn = 'This is your only way to sign in. Add another passkey or set a password first.'
