import { attempt, confirmSession } from './attempt'
import { register } from './ceremony'
import type { Outcome } from './failure'
import { post } from './post'

/** Makes an account with a password and signs in to it. */
export function signUp(username: string, password: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/signup', { username: username.trim(), password })
    await confirmSession()
  }
  return attempt(action, { hasFields: true })
}

/** Makes an account whose way in is a passkey, and signs in to it. */
export function signUpWithPasskey(username: string): Promise<Outcome> {
  const action = async () => {
    await register({ username: username.trim() })
    await confirmSession()
  }
  return attempt(action, { hasFields: true })
}
