import type { Account } from '@/lib/api/schemas'
import { runOnAccount, signalCurrentUsername } from './account-action'
import { ApiClientError, isCode, type Outcome } from './errors'
import { post } from './post'
import { signalAccepted } from './signals'

/** Changes the username, and what the password manager calls the account's passkeys. */
export function changeUsername(account: Account, username: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/i/username', { username: username.trim() })
    await signalCurrentUsername()
  }
  return runOnAccount(account, action, { title: 'The username was not changed', hasFields: true })
}

/**
 * Sets or changes the password; all other sessions end.
 *
 * @param currentPassword needed where a password opened this session. It also makes an old session fresh, so nobody has to type it twice.
 */
export function changePassword(account: Account, password: string, currentPassword?: string): Promise<Outcome> {
  const change = () => post('/api/i/password', { password, currentPassword })
  // The name of now: another tab may have changed it since this page was made.
  const action = async ({ username }: Account) => {
    try {
      await change().catch(async (error: unknown) => {
        if (!currentPassword || !isCode(error, 'reauthentication_required')) throw error
        await post('/api/signin', { username, password: currentPassword })
        await change()
      })
    } catch (error) {
      throw isCode(error, 'authentication_failed') ? new ApiClientError('authentication_failed', wrongPassword) : error
    }
  }
  return runOnAccount(account, action, { title: 'The password was not changed', hasFields: true })
}

const wrongPassword = { fields: { currentPassword: 'This is not your current password.' } }

/** Ends all sessions of the account, this one too. */
export function signOutEverywhere(account: Account): Promise<Outcome> {
  return runOnAccount(account, () => post('/api/i/signout-everywhere'), { title: 'Nobody was signed out' })
}

/** Removes the account and all that it owns; its passkeys are then of no use to the password manager. */
export function deleteAccount(account: Account): Promise<Outcome> {
  const action = async () => {
    await post('/api/i/delete')
    signalAccepted({ ...account, passkeys: [] })
  }
  return runOnAccount(account, action, { title: 'The account was not deleted' })
}
