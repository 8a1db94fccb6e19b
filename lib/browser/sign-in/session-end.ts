import { pageNamespace } from '@/lib/messages/page-words'
import { runAction } from '../failures/describe-failure'
import { ignoreNotFound } from '../failures/errors'
import { type Failure, isFailure, type Outcome } from '../failures/outcomes'
import { fetchAccount, post } from '../requests/post'
import { exchangeStepUp, forgetStepUp } from '../requests/step-up'
import { forgetCrossDevice, pageState } from '../state/storage'
import { listenToTabs, postToTabs } from '../state/tabs'

/**
 * The way in which the page learned that its session has ended. `leaving`: the page hides private content until it has
 * navigated away. A `Failure`: an action found out; the page stays, with the text in its fields.
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

/** Removes this tab's data of a session. */
function clearSessionData(): void {
  forgetCrossDevice()
  forgetStepUp()
}

/** Removes this browser's data of a session that has ended, and makes its other tabs leave their signed-in pages. */
export function clearSessionEverywhere(): void {
  clearSessionData()
  postToTabs({ type: 'signed-out' })
}

/** Ends the session. Succeeds without one, too. */
export function signOut(): Promise<Outcome> {
  const action = async () => {
    await post('/api/signout')
    clearSessionEverywhere()
  }
  return runAction(action, { title: pageNamespace('account').stillSignedIn })
}

/** Ends all sessions of the account. */
export function signOutEverywhere(): Promise<Outcome> {
  const action = async () => {
    await post('/api/i/signout-everywhere', {})
    clearSessionEverywhere()
  }
  return runAction(action, { title: pageNamespace('sessions').everywhereFailed })
}

/** Ends all sessions of the account but this one, which it replaces. */
export function signOutEverywhereElse(): Promise<Outcome> {
  const action = () => post('/api/i/signout-everywhere', { exceptThis: true })
  return runAction(action, { title: pageNamespace('sessions').elsewhereFailed })
}

/** Ends some of the account's other sessions; one that has ended already is no failure. */
export function signOutSessions(ids: string[]): Promise<Outcome> {
  const action = async () => {
    for (const id of ids) await post('/api/i/sessions/revoke', { id }).catch(ignoreNotFound)
  }
  return runAction(action, { title: pageNamespace('sessions').browserFailed })
}

/**
 * Checks the session whenever the page becomes visible again: the person may have ended it on another device, or signed in to
 * another account in another tab. A page with text that somebody has typed then stays and says so, as after an action, and goes
 * on once they have signed in again.
 *
 * @param onEnded runs once the page has to go; not while the server cannot be reached
 * @param onBack runs once its account has a session again
 * @returns a function that stops checking
 */
export function watchSession(onEnded: () => void, onBack: () => void): () => void {
  let checking = false
  const check = async () => {
    if (document.visibilityState !== 'visible' || checking) return
    checking = true
    const outcome = await runAction(fetchAccount)
    checking = false
    const before = end.get()
    if (outcome === 'done' && before !== null && before !== 'leaving') {
      end.set(null)
      onBack()
    }
    const isSignedOut = isFailure(outcome, 'not_signed_in')
    if (!isSignedOut && !isFailure(outcome, 'different_account')) return
    clearSessionData()
    if (isSignedOut && hasTypedText()) unlessSessionEnded(outcome)
    else onEnded()
  }
  document.addEventListener('visibilitychange', check)
  return () => document.removeEventListener('visibilitychange', check)
}

/**
 * True if leaving the page would lose what somebody has typed, chosen or removed. React hides it in a text field that has a
 * `value`; a box without one has the value `on` and the default value of an empty text. Where fields are gone, no other shows it,
 * so their list has `data-changed`.
 */
export const hasTypedText = (within: ParentNode = document.querySelector('main') ?? document) =>
  within.querySelector('[data-changed]') !== null ||
  [...within.querySelectorAll<HTMLInputElement>('input, textarea')].some(
    ({ type, value, defaultValue, checked, defaultChecked }) =>
      type === 'checkbox' ? checked !== defaultChecked : value !== defaultValue,
  ) ||
  [...within.querySelectorAll('select')].some(
    ({ options, selectedIndex }) =>
      selectedIndex !==
      Math.max(
        [...options].findIndex(({ defaultSelected }) => defaultSelected),
        0,
      ),
  )

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
