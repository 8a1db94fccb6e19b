import type { PostBody } from '@/lib/api/endpoints'
import type { Account } from '@/lib/api/schemas'
import { pageNamespace } from '@/lib/messages/browser-words'
import { ApiClientError, isCode } from '../failures/errors'
import type { Outcome } from '../failures/outcomes'
import { runAction } from '../failures/run-action'
import { withSentences } from '../failures/with-sentences'
import { signalAccepted, signalUnknown } from '../passkeys/signals'
import { post } from '../requests/post'
import { signInAgain } from '../sign-in/reauthentication'
import { clearSessionEverywhere } from '../sign-in/session-end'
import { forgetNotices } from '../state/notice-cookie'

/** Changes the username. */
export function changeUsername(username: string): Promise<Outcome> {
  const action = () => post('/api/i/username', { username: username.trim() })
  return runAction(action, { title: pageNamespace('profile').usernameFailed, fields: ['username'] })
}

/**
 * Sets or changes the password, and ends all other sessions.
 *
 * @param kept what stays of what was added since the owner last answered a notice
 * @param currentPassword needed unless the step-up token comes from a passkey or a recovery code; also used to reauthenticate where there is no token, so that it is typed only once
 */
export function changePassword(
  password: string,
  kept: Pick<PostBody<'/api/i/password'>, 'keepPasskeys' | 'keepRecoveryCodes'>,
  currentPassword?: string,
): Promise<Outcome> {
  const words = pageNamespace('profile')
  const change = () => post('/api/i/password', { password, currentPassword, ...kept })
  const action = async () => {
    try {
      await change().catch(async (error: unknown) => {
        if (!currentPassword || !isCode(error, 'reauthentication_required')) throw error
        await signInAgain(currentPassword)
        await change()
      })
    } catch (error) {
      throw isCode(error, 'authentication_failed')
        ? new ApiClientError('authentication_failed', { fields: { currentPassword: words.wrongPassword } })
        : error
    }
  }
  return runAction(action, { title: words.passwordFailed, fields: ['password', 'currentPassword'] })
}

/** Deletes the account, then signals the password manager to drop its passkeys. */
export function deleteAccount(account: Account): Promise<Outcome> {
  const action = async () => {
    await post('/api/i/delete')
    clearSessionEverywhere()
    forgetNotices(account.id)
    signalAccepted({ ...account, passkeys: [] })
    // Imported passkeys may have been made under other user handles.
    for (const { id } of account.passkeys) signalUnknown({ rpId: account.rpId, credentialId: id })
  }
  return runAction(action, { title: pageNamespace('profile').deleteFailed })
}

/** Removes the password; the passkeys stay. Ends the other sessions that it opened. */
export function removePassword(): Promise<Outcome> {
  const { removePasswordFailed, passwordIsOnlyWay } = pageNamespace('profile')
  const remove = () => post('/api/i/password/remove')
  return runAction(withSentences({ last_way_in: passwordIsOnlyWay }, remove), { title: removePasswordFailed })
}
