import type { Account } from '@/lib/api/schemas'
import { fetchAccount } from './account'
import { ApiClientError, type FailureCode, type Outcome, type Wording } from './errors'
import { runAction } from './run-action'
import { signalAccepted, signalDetails } from './signals'

/**
 * Runs an action on the signed-in account, if that is still the one that the page shows: in another tab somebody may have
 * signed in to another account, or out, and the session's cookie is one for all tabs.
 *
 * @param words sentences for the refusals that mean something particular here, by code
 */
export function runOnAccount(
  { id }: Pick<Account, 'id'>,
  action: (now: Account) => Promise<unknown>,
  { words = {}, ...wording }: Wording & { words?: Partial<Record<FailureCode, string>> } = {},
): Promise<Outcome> {
  return runAction(async () => {
    const now = await fetchAccount()
    if (now.id !== id) throw new ApiClientError('another_account', { error: anotherAccount })
    await action(now).catch((error: unknown) => {
      const sentence = error instanceof ApiClientError ? words[error.code] : undefined
      throw sentence && error instanceof ApiClientError
        ? new ApiClientError(error.code, { ...error.details, error: sentence })
        : error
    })
  }, wording)
}

const anotherAccount = 'Another account is signed in to by now. Load the page again.'

/** Tells the password manager which passkeys there are now, from a list that is fresh and complete. It never fails what came before it. */
export async function signalCurrentPasskeys(): Promise<void> {
  await fetchAccount().then(signalAccepted, () => undefined)
}

/** Tells the password manager what the account is called now. It never fails what came before it. */
export async function signalCurrentUsername(): Promise<void> {
  await fetchAccount().then(signalDetails, () => undefined)
}
