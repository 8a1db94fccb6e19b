import type { Outcome } from './errors'
import { post } from './post'
import { requireSessionCookie, runAction } from './run-action'

/*
 * Signing in again on the page one is at, which makes the session fresh. With a passkey it is `signInWithPasskey`: while
 * somebody is signed in, the server asks for a passkey of that account alone.
 */

/** Signs in again with the account's password. */
export function reauthenticateWithPassword(username: string, password: string): Promise<Outcome> {
  return reauthenticate(() => post('/api/signin', { username, password }), 'Check the password.')
}

/** Signs in again with one of the account's recovery codes, which is used up by it. */
export function reauthenticateWithRecoveryCode(username: string, code: string): Promise<Outcome> {
  return reauthenticate(() => post('/api/signin/recovery', { username, code }), 'Check the code. Each one works once.')
}

function reauthenticate(signIn: () => Promise<unknown>, denied: string): Promise<Outcome> {
  const action = async () => {
    await signIn()
    await requireSessionCookie()
  }
  return runAction(action, { hasFields: true, denied })
}
