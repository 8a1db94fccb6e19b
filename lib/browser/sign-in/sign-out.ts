import { pageNamespace } from '@/lib/messages/page-words'
import { runAction } from '../failures/describe-failure'
import { ignoreNotFound } from '../failures/errors'
import type { Outcome } from '../failures/outcomes'
import { post } from '../requests/post'
import { clearSessionEverywhere } from './session-end'

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
