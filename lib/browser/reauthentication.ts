import { requireSessionCookie } from './account'
import type { Outcome } from './errors'
import { post } from './post'
import { runAction } from './run-action'

/* With a passkey, reauthentication is `signInWithPasskey`: during a session the server accepts only that account's passkeys. */

export function reauthenticateWithPassword(username: string, password: string): Promise<Outcome> {
  return reauthenticate(() => post('/api/signin', { username, password }), 'Check your password.')
}

/** Signs in again with one of the account's recovery codes, which is then used up. */
export function reauthenticateWithRecoveryCode(username: string, code: string): Promise<Outcome> {
  return reauthenticate(() => post('/api/signin/recovery', { username, code }), 'Check the code. Each code works once.')
}

function reauthenticate(signIn: () => Promise<unknown>, denied: string): Promise<Outcome> {
  const action = async () => {
    await signIn()
    await requireSessionCookie()
  }
  return runAction(action, { hasFields: true, denied })
}
