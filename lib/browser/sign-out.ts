import type { Outcome } from './errors'
import { forgetCrossDevice } from './passkeys/cross-device'
import { post } from './post'
import { runAction } from './run-action'

/** Ends the session. Succeeds without one, too. */
export function signOut(): Promise<Outcome> {
  const action = async () => {
    await post('/api/signout')
    forgetCrossDevice()
  }
  return runAction(action, { title: "You're still signed in" })
}
