import type { PostBody } from '@/lib/api/endpoints'
import type { Account, EventPage } from '@/lib/api/schemas'
import { pageNamespace } from '@/lib/messages/page-words'
import { runAction, withSentences } from './failures/describe-failure'
import { ApiClientError, isCode } from './failures/errors'
import type { Outcome } from './failures/outcomes'
import { signalAccepted, signalUnknown } from './passkeys/signals'
import { post } from './requests/post'
import { signInAgain } from './sign-in/reauthentication'
import { clearSessionEverywhere } from './sign-in/session-end'
import { forgetNotices, rememberDismissal } from './state/cookies'

/** Changes the username. */
export function changeUsername(username: string): Promise<Outcome> {
  const action = () => post('/api/i/username', { username: username.trim() })
  return runAction(action, { title: pageNamespace('profile').usernameFailed, fields: ['username'] })
}

/** Changes the display name; an empty one removes it. */
export function changeDisplayName(given: string): Promise<Outcome> {
  const action = () => post('/api/i/name', { displayName: given.trim() || null })
  return runAction(action, { title: pageNamespace('profile').nameFailed, fields: ['displayName'] })
}

/** Has a code sent to an e-mail address. */
export function requestEmail(email: string): Promise<Outcome> {
  const action = () => post('/api/i/email', { email })
  return runAction(action, { title: pageNamespace('profile').emailFailed, fields: ['email'] })
}

/** Gives the account the address that the code went to. */
export function verifyEmail(code: string): Promise<Outcome> {
  const { codeFailed, wrongCode } = pageNamespace('profile')
  const action = () =>
    post('/api/i/email/verify', { code }).catch((error: unknown) => {
      throw isCode(error, 'authentication_failed')
        ? new ApiClientError('authentication_failed', { fields: { code: wrongCode } })
        : error
    })
  return runAction(action, { title: codeFailed, fields: ['code'] })
}

/** Stops a recovery by mail that waits. */
export const stopOwnRecovery = (): Promise<Outcome> =>
  runAction(() => post('/api/i/recovery/stop'), { title: pageNamespace('account').stopRecoveryFailed })

/** Removes the e-mail address. */
export const removeEmail = (): Promise<Outcome> =>
  runAction(() => post('/api/i/email/remove'), { title: pageNamespace('profile').removeEmailFailed })

/**
 * Sets or changes the password, and ends all other sessions.
 *
 * @param kept the additions since the owner last answered a notice that stay
 * @param currentPassword necessary unless the step-up token comes from a passkey or a recovery code. Without a token it also
 *   reauthenticates, so that the person types it only once
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
    // Names each, because imported passkeys may have other user handles.
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

/** Fetches the page of events before `before`, or without it the newest, and passes it to `onFetched`. */
export const fetchEvents = (before: string | undefined, onFetched: (page: EventPage) => void): Promise<Outcome> =>
  runAction(async () => onFetched(await post('/api/i/events', before === undefined ? {} : { before })), {
    title: pageNamespace('activity').moreFailed,
  })

/**
 * Dismisses notices as the owner's own: in this browser, and for the account if the tab's step-up proves it. Never throws,
 * since the dismissal counts here in any case.
 *
 * @param until the time of the newest notice
 * @returns whether it counts everywhere
 */
export function dismissNotices(accountId: string, until: number): Promise<boolean> {
  rememberDismissal(accountId, until)
  return post('/api/i/notices/dismiss', { until: new Date(until).toISOString() }).then(
    ({ everywhere }) => everywhere,
    () => false,
  )
}

/**
 * Replaces the account's recovery codes with ten new ones, and passes them to `onCreated`. The server stores only digests, so
 * this is the only copy.
 */
export function createRecoveryCodes(onCreated: (codes: string[]) => void): Promise<Outcome> {
  const action = async () => onCreated((await post('/api/i/recovery-codes')).codes)
  const { codesFailed, codesLost } = pageNamespace('profile')
  // The server may have replaced the codes before its response was lost.
  const sentences = { offline: codesLost, unreachable: codesLost, unavailable: codesLost, internal_error: codesLost }
  return runAction(withSentences(sentences, action), { title: codesFailed })
}
