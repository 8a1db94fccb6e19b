import { ApiClientError, isCode, type Outcome } from './errors'
import { register } from './passkeys/ceremony'
import { post } from './post'
import { requireSessionCookie, runAction } from './run-action'

/** Makes an account with a password and signs in to it. */
export function signUp(username: string, password: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/signup', { username: username.trim(), password })
    await requireSessionCookie()
  }
  return runAction(action, { hasFields: true })
}

/** Makes an account whose way in is a passkey, and signs in to it. */
export function signUpWithPasskey(username: string): Promise<Outcome> {
  const action = async () => {
    await register({ username: username.trim() }).catch(tellIfSignedIn)
    await requireSessionCookie()
  }
  return runAction(action, { hasFields: true })
}

/** Another tab may have signed in while the prompt was open; then no account can be made here, and only that explains the refusal. */
async function tellIfSignedIn(error: unknown): Promise<never> {
  if (!isCode(error, 'authentication_failed')) throw error
  const signedIn = await post('/api/i').then(
    () => true,
    () => false,
  )
  throw signedIn ? new ApiClientError('signed_in_meanwhile') : error
}
