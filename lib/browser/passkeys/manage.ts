import type { Account, Passkey } from '@/lib/api/schemas'
import { pageRoom } from '@/lib/messages/page-words'
import { runOnAccount } from '../account-action'
import type { Outcome } from '../errors'
import { post } from '../post'
import { signalUnknown } from '../signals'
import { register } from './ceremony'

let justAdded: string | null = null

/** Whether this page has just added the passkey, whose name can then be changed at once. */
export const isJustAdded = ({ id }: Pick<Passkey, 'id'>) => id === justAdded

/**
 * Adds a passkey to the signed-in account.
 *
 * @param promotion creates it on this device; otherwise the person may choose a phone or a security key
 */
export function addPasskey(account: Account, { promotion = false } = {}): Promise<Outcome> {
  const action = async () => {
    justAdded = await register(promotion ? { promotion } : {})
  }
  return runOnAccount(account, action, { title: pageRoom('account').addPasskeyFailed })
}

/** Renames a passkey. */
export function renamePasskey(account: Account, { id }: Passkey, name: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/i/passkeys/rename', { id, name: name.trim() })
  }
  const { renameFailed, removedElsewhere } = pageRoom('passkeys')
  return runOnAccount(account, action, {
    title: renameFailed,
    hasFields: true,
    words: { not_found: removedElsewhere },
  })
}

/** Removes a passkey, then signals the password manager to drop it, whichever user handle it was made under. */
export function removePasskey(account: Account, { id }: Passkey): Promise<Outcome> {
  const action = async () => {
    await post('/api/i/passkeys/remove', { id })
    signalUnknown(account.rpId, id)
  }
  const { removeFailed, removedElsewhere, onlyWay } = pageRoom('passkeys')
  return runOnAccount(account, action, {
    title: removeFailed,
    words: { not_found: removedElsewhere, last_way_in: onlyWay },
  })
}
