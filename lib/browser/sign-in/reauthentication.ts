import { pageNamespace } from '@/lib/messages/page-words'
import { authenticate } from '../passkeys/ceremony'
import { requireSessionCookie } from '../requests/account'
import { ApiClientError, type Outcome } from '../requests/errors'
import { post } from '../requests/post'
import { runAction } from '../requests/run-action'

/** Signs in again with one of the account's passkeys: during a session the server accepts no others. Fails without user verification. */
export function reauthenticateWithPasskey(): Promise<Outcome> {
  return runAction(async () => {
    const { stepUp } = await authenticate(await post('/api/auth/login/options'))
    if (!stepUp) throw new ApiClientError('user_not_verified')
  })
}

export function reauthenticateWithPassword(username: string, password: string): Promise<Outcome> {
  return reauthenticate(() => post('/api/signin', { username, password }), pageNamespace('failures').checkPassword)
}

/** Signs in again with one of the account's recovery codes, which is then used up. */
export function reauthenticateWithRecoveryCode(username: string, code: string): Promise<Outcome> {
  return reauthenticate(() => post('/api/signin/recovery', { username, code }), pageNamespace('failures').checkCode)
}

function reauthenticate(signIn: () => Promise<unknown>, denied: string): Promise<Outcome> {
  const action = async () => {
    await signIn()
    await requireSessionCookie()
  }
  return runAction(action, { hasFields: true, denied })
}
