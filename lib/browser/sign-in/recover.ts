import type { PostResult } from '@/lib/api/endpoints'
import { pageNamespace } from '@/lib/messages/page-words'
import { runAction, withSentences } from '../failures/describe-failure'
import { isCode } from '../failures/errors'
import type { Outcome } from '../failures/outcomes'
import { createInPrompt, isDefiniteRejection } from '../passkeys/ceremony'
import { signalUnknown } from '../passkeys/signals'
import { post, requireSessionCookie } from '../requests/post'

/* The requests of a recovery by mail. */

export function askForRecovery(username: string): Promise<Outcome> {
  const action = () => post('/api/recover', { username: username.trim() })
  return runAction(action, { title: pageNamespace('recover').sendFailed, fields: ['username'] })
}

/** How far the recovery of a letter's link is; `over` if the link works no more. */
export type RecoveryState = PostResult<'/api/recover/show'> | { state: 'over' }

/** Passes the state to `onShown`. */
export function showRecovery(token: string, onShown: (shown: RecoveryState) => void): Promise<Outcome> {
  const show = () =>
    post('/api/recover/show', { token }).catch((error: unknown) => {
      if (isCode(error, 'authentication_failed')) return { state: 'over' as const }
      throw error
    })
  return runAction(async () => onShown(await show()), { title: pageNamespace('recover').showFailed })
}

/** Says what the link's refusals mean here. */
const refusals = () => {
  const { over, elsewhere } = pageNamespace('recover')
  return { authentication_failed: over, not_allowed: elsewhere }
}

export function confirmRecovery(token: string): Promise<Outcome> {
  const action = () => post('/api/recover/confirm', { token })
  return runAction(withSentences(refusals(), action), { title: pageNamespace('recover').startFailed })
}

/** Creates a passkey and gives it to the account in place of all that opened it before. */
export function recoverWithPasskey(token: string): Promise<Outcome> {
  const action = async () => {
    const options = await post('/api/recover/options', { token })
    const response = await createInPrompt(options)
    await post('/api/recover/passkey', { ...response, token }).catch((error: unknown) => {
      if (isDefiniteRejection(error)) signalUnknown({ rpId: options.rp.id, credentialId: response.id })
      throw error
    })
    await requireSessionCookie()
  }
  return runAction(withSentences(refusals(), action), { title: pageNamespace('recover').recoverFailed })
}

export function recoverWithPassword(token: string, password: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/recover/password', { token, password })
    await requireSessionCookie()
  }
  const wording = { title: pageNamespace('recover').recoverFailed, fields: ['password'] }
  return runAction(withSentences(refusals(), action), wording)
}

/** Stops a recovery by the letter that says that it waits. @param onOver runs if there was nothing to stop */
export function stopRecovery(token: string, onOver: () => void): Promise<Outcome> {
  const action = () =>
    post('/api/recover/stop', { token }).catch((error: unknown) => {
      if (!isCode(error, 'authentication_failed')) throw error
      onOver()
    })
  return runAction(action, { title: pageNamespace('recover').stopFailed })
}
