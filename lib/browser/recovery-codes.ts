import type { Account } from '@/lib/api/schemas'
import { runOnAccount } from './account-action'
import type { Outcome } from './errors'
import { post } from './post'

/** Makes ten recovery codes in place of those before. The server keeps only their digests, so `onMade` gets them once and for all. */
export function createRecoveryCodes(account: Account, onMade: (codes: string[]) => void): Promise<Outcome> {
  const action = async () => onMade((await post('/api/i/recovery-codes')).codes)
  return runOnAccount(account, action, {
    title: 'No codes were made',
    words: { unreachable: lost, internal_error: lost },
  })
}

const lost = 'The answer was lost. Make them again: those you had may work no longer.'
