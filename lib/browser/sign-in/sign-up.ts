import type { PostBody } from '@/lib/api/endpoints'
import { runAction } from '../failures/describe-failure'
import { ApiClientError, isCode } from '../failures/errors'
import type { Outcome } from '../failures/outcomes'
import { register } from '../passkeys/ceremony'
import { fetchAccount, post, requireSessionCookie } from '../requests/post'

/** `invitation` matters only where sign-up is by invitation. */
type NewAccount = Pick<PostBody<'/api/signup'>, 'username' | 'invitation'>

export function signUp({ username, ...account }: NewAccount, password: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/signup', { ...account, username: username.trim(), password })
    await requireSessionCookie()
  }
  return runAction(action, { fields: ['username', 'password'] })
}

export function signUpWithPasskey({ username, ...account }: NewAccount): Promise<Outcome> {
  const action = async () => {
    await register({ ...account, username: username.trim() }).catch(throwIfSignedIn)
    await requireSessionCookie()
  }
  return runAction(action, { fields: ['username'] })
}

/** Explains a rejection if another tab has signed in meanwhile: the server then rejects the new account. */
async function throwIfSignedIn(error: unknown): Promise<never> {
  if (!isCode(error, 'authentication_failed')) throw error
  const signedIn = await fetchAccount().then(
    () => true,
    () => false,
  )
  throw signedIn ? new ApiClientError('signed_in_meanwhile') : error
}
