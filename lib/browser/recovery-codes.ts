import type { Account } from '@/lib/api/schemas'
import { runOnAccount } from './account-action'
import type { Outcome } from './errors'
import { post } from './post'

/** Replaces the account's recovery codes with ten new ones, and passes them to `onCreated`. The server stores only digests, so this is the only copy. */
export function createRecoveryCodes(account: Account, onCreated: (codes: string[]) => void): Promise<Outcome> {
  const action = async () => onCreated((await post('/api/i/recovery-codes')).codes)
  return runOnAccount(account, action, {
    title: "Couldn't create recovery codes",
    words: { unreachable: lost, internal_error: lost },
  })
}

const lost = "We couldn't confirm your new codes. Generate a new set; the previous codes may no longer work."
