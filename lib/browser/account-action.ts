import type { Account } from '@/lib/api/schemas'
import { pageRoom } from '@/lib/messages/page-words'
import { fetchAccount } from './account'
import type { Wording } from './describe-failure'
import { ApiClientError, type FailureCode, type Outcome } from './errors'
import { runAction } from './run-action'

/**
 * Runs an action on the account that the page shows, unless another tab has signed in to a different one: all tabs share
 * the session cookie.
 *
 * @param words sentences for errors with a particular meaning here, by code
 */
export function runOnAccount(
  { id }: Pick<Account, 'id'>,
  action: (now: Account) => Promise<unknown>,
  { words = {}, ...wording }: Wording & { words?: Partial<Record<FailureCode, string>> } = {},
): Promise<Outcome> {
  return runAction(async () => {
    const now = await fetchAccount()
    if (now.id !== id) throw new ApiClientError('another_account', { error: pageRoom('account').anotherAccount })
    await action(now).catch((error: unknown) => {
      const sentence = error instanceof ApiClientError ? words[error.code] : undefined
      throw sentence && error instanceof ApiClientError
        ? new ApiClientError(error.code, { ...error.details, error: sentence })
        : error
    })
  }, wording)
}
