import { attempt } from './attempt'
import { forgetCrossDevice } from './cross-device'
import type { Outcome } from './failure'
import { post } from './post'

/** Ends the session, also when there is none. */
export function signOut(): Promise<Outcome> {
  const action = async () => {
    await post('/api/signout')
    forgetCrossDevice()
  }
  return attempt(action, { title: 'You are still signed in' })
}
