import { pageNamespace } from '@/lib/messages/page-words'
import { ApiClientError, type Outcome } from '../failures/errors'
import { runAction } from '../failures/run-action'
import { authenticate } from '../passkeys/ceremony'
import { fetchAccount, requireSessionCookie } from '../requests/fetch-account'
import { post } from '../requests/post'

/** Signs in again with one of the account's passkeys: during a session the server accepts no others. Fails without user verification. */
export function reauthenticateWithPasskey(): Promise<Outcome> {
  return runAction(async () => {
    const { stepUp } = await authenticate(await post('/api/auth/login/options'))
    if (!stepUp) throw new ApiClientError('user_not_verified')
  })
}

export function reauthenticateWithPassword(password: string): Promise<Outcome> {
  const signIn = (username: string) => post('/api/signin', { username, password })
  return reauthenticate(signIn, pageNamespace('failures').checkPassword)
}

/** Signs in again with one of the account's recovery codes, which is then used up. */
export function reauthenticateWithRecoveryCode(code: string): Promise<Outcome> {
  const signIn = (username: string) => post('/api/signin/recovery', { username, code })
  return reauthenticate(signIn, pageNamespace('failures').checkCode)
}

function reauthenticate(signIn: (username: string) => Promise<unknown>, denied: string): Promise<Outcome> {
  const action = async () => {
    // Not the page's, which another tab may have changed.
    const { username } = await fetchAccount()
    await signIn(username)
    await requireSessionCookie()
  }
  return runAction(action, { hasFields: true, denied })
}
