import { isCode } from '../failures/errors'
import { type Failure, isFailure, type Outcome } from '../failures/outcomes'
import { forgetCrossDevice } from '../passkeys/support'
import { fetchAccount } from '../requests/fetch-account'
import { exchangeStepUp, forgetStepUp } from '../requests/step-up'
import { pageState } from '../state/storage'
import { listenToTabs, postToTabs } from '../state/tabs'

/**
 * How the page learned that its session has ended. `leaving`: private content is hidden until the page has navigated away. A
 * `Failure`: an action found that the session has ended; the page stays, with what was typed.
 */
type SessionEnd = 'leaving' | Failure

const end = pageState<SessionEnd | null>(null)

export const sessionEnd = end.get
export const subscribeToSessionEnd = end.subscribe

export const markLeaving = () => end.set('leaving')

/** An action's outcome. When the session is over, the page as a whole says so, and the action's own place nothing. */
export function unlessSessionEnded(outcome: Outcome): Outcome {
  if (!isFailure(outcome, 'not_signed_in')) return outcome
  end.set(outcome)
  return { cancelled: 'cancelled' }
}

/** Removes what this tab keeps of a session. */
function clearSessionData(): void {
  forgetCrossDevice()
  forgetStepUp()
}

/** Removes what this browser kept of a session that has ended, and makes its other tabs leave their signed-in pages. */
export function clearSessionEverywhere(): void {
  clearSessionData()
  postToTabs({ type: 'signed-out' })
}

/**
 * Checks the session whenever the page becomes visible again: it may have ended on another device, of which this browser
 * hears nothing, or another tab may have signed in to another account.
 *
 * @param onEnded not called while the server cannot be reached
 * @returns stops checking
 */
export function watchSession(onEnded: () => void): () => void {
  let checking = false
  const check = async () => {
    if (document.visibilityState !== 'visible' || checking) return
    checking = true
    const error = await fetchAccount().catch((thrown: unknown) => thrown)
    checking = false
    if (!isCode(error, 'not_signed_in') && !isCode(error, 'different_account')) return
    clearSessionData()
    onEnded()
  }
  document.addEventListener('visibilitychange', check)
  return () => document.removeEventListener('visibilitychange', check)
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
    if (message.type !== 'signed-out') return
    clearSessionData()
    onSignedOut()
  })
}
