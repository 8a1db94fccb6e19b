import { attempt } from './attempt'
import type { Outcome } from './failure'
import { post } from './post'

/** Ends the session, also when there is none. */
export function signOut(): Promise<Outcome> {
  return attempt(() => post('/api/signout'), { title: 'You are still signed in' })
}
