import type { Account } from '@/lib/api/schemas'
import { pageRoom } from '@/lib/messages/page-words'
import { runOnAccount } from './account-action'
import type { Outcome } from './errors'
import { post } from './post'

/** Replaces the account's recovery codes with ten new ones, and passes them to `onCreated`. The server stores only digests, so this is the only copy. */
export function createRecoveryCodes(account: Account, onCreated: (codes: string[]) => void): Promise<Outcome> {
  const action = async () => onCreated((await post('/api/i/recovery-codes')).codes)
  const { codesFailed, codesLost } = pageRoom('profile')
  return runOnAccount(account, action, {
    title: codesFailed,
    words: { unreachable: codesLost, internal_error: codesLost },
  })
}
