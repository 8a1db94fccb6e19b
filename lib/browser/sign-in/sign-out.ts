import type { LiveSession } from '@/lib/api/schemas'
import { pageNamespace } from '@/lib/messages/page-words'
import { ignoreNotFound, isCode, type Outcome } from '../failures/errors'
import { runAction } from '../failures/run-action'
import { forgetCrossDevice } from '../passkeys/cross-device'
import { fetchAccount } from '../requests/fetch-account'
import { post } from '../requests/post'
import { exchangeStepUp, forgetStepUp } from '../requests/step-up'
import { listenToTabs, tellTabs } from '../state/tabs'

/** Ends the session. Succeeds without one, too. */
export function signOut(): Promise<Outcome> {
  const action = async () => {
    await post('/api/signout')
    forgetSession()
  }
  return runAction(action, { title: pageNamespace('account').stillSignedIn })
}

/** Ends all sessions of the account. */
export function signOutEverywhere(): Promise<Outcome> {
  const action = async () => {
    await post('/api/i/signout-everywhere', {})
    forgetSession()
  }
  return runAction(action, { title: pageNamespace('sessions').everywhereFailed })
}

/** Ends all sessions of the account but this one, which is replaced. */
export function signOutEverywhereElse(): Promise<Outcome> {
  const action = () => post('/api/i/signout-everywhere', { exceptThis: true })
  return runAction(action, { title: pageNamespace('sessions').elsewhereFailed })
}

/** Ends one of the account's other sessions; one that has ended already is no failure. */
export function signOutSession({ id }: Pick<LiveSession, 'id'>): Promise<Outcome> {
  const action = () => post('/api/i/sessions/revoke', { id }).catch(ignoreNotFound)
  return runAction(action, { title: pageNamespace('sessions').browserFailed })
}

/** Removes what this browser kept of a session that has ended, and makes its other tabs leave their signed-in pages. */
export function forgetSession(): void {
  forgetCrossDevice()
  forgetStepUp()
  tellTabs({ type: 'signed-out' })
}

/**
 * Checks the session whenever the page becomes visible again: it may have ended on another device, of which this browser
 * hears nothing.
 *
 * @param onEnded not called while the server cannot be reached
 * @returns stops checking
 */
export function watchSession(onEnded: () => void): () => void {
  let checking = false
  const look = async () => {
    if (document.visibilityState !== 'visible' || checking) return
    checking = true
    const error = await fetchAccount().catch((thrown: unknown) => thrown)
    checking = false
    if (isCode(error, 'not_signed_in')) leaveSession(onEnded)
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}

/**
 * Connects a signed-in page with the other tabs of the browser.
 *
 * @param onSignedOut called when another tab has ended the session
 * @returns disconnects it
 */
export function joinTabs(onSignedOut: () => void): () => void {
  return listenToTabs((message) => {
    exchangeStepUp(message)
    if (message.type === 'signed-out') leaveSession(onSignedOut)
  })
}

function leaveSession(onEnded: () => void): void {
  forgetCrossDevice()
  forgetStepUp()
  onEnded()
}
