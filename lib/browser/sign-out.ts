import type { Outcome } from './errors'
import { forgetCrossDevice } from './passkeys/cross-device'
import { post } from './post'
import { attempt } from './run-action'

/** Ends the session, also when there is none. */
export function signOut(): Promise<Outcome> {
  const action = async () => {
    await post('/api/signout')
    forgetCrossDevice()
  }
  return attempt(action, { title: 'You are still signed in' })
}
