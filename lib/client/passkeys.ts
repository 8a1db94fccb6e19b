import { attempt } from './attempt'
import { register } from './ceremony'
import type { Outcome } from './failure'
import { post } from './post'

/** Adds a passkey to the signed-in account. */
export function addPasskey(): Promise<Outcome> {
  const action = async () => {
    // Without a session the same request would mean a new account, and be refused for reasons that nobody here could act on.
    await post('/api/i')
    await register({})
  }
  return attempt(action, { title: 'The passkey was not added' })
}
