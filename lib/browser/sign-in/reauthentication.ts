import { pageNamespace } from '@/lib/messages/page-words'
import { runAction } from '../failures/describe-failure'
import { ApiClientError } from '../failures/errors'
import type { Outcome } from '../failures/outcomes'
import { authenticate } from '../passkeys/ceremony'
import { fetchAccount, post, requireSessionCookie } from '../requests/post'
import { unlessSessionEnded } from './session-end'

/** Runs a reauthentication. If the session has ended meanwhile, the page says so, not the dialog. */
const reauthenticate = async (...given: Parameters<typeof runAction>): Promise<Outcome> =>
  unlessSessionEnded(await runAction(...given))

/**
 * Signs in again with one of the account's passkeys: during a session the server accepts no others. Fails without user
 * verification.
 */
export function reauthenticateWithPasskey(): Promise<Outcome> {
  return reauthenticate(async () => {
    const { stepUp } = await authenticate(await post('/api/auth/login/options'))
    if (!stepUp) throw new ApiClientError('user_not_verified')
  })
}

export function reauthenticateWithPassword(password: string): Promise<Outcome> {
  const denied = pageNamespace('failures').checkPassword
  return reauthenticate(() => signInAgain(password), { fields: ['password'], denied, deniedTitle: 'wrongPassword' })
}

/** Signs in to the same account with its password. @throws ApiClientError */
export const signInAgain = (password: string): Promise<void> =>
  signInWithCurrentUsername((username) => post('/api/signin', { username, password }))

/** Signs in again with one of the account's recovery codes, and uses it up. */
export function reauthenticateWithRecoveryCode(code: string): Promise<Outcome> {
  const signIn = (username: string) => post('/api/signin/recovery', { username, code })
  const denied = pageNamespace('failures').checkCode
  const wording = { fields: ['code'], denied, deniedTitle: 'wrongCode' as const }
  return reauthenticate(() => signInWithCurrentUsername(signIn), wording)
}

/** The page's username is not used: another tab may have changed it. */
async function signInWithCurrentUsername(signIn: (username: string) => Promise<unknown>): Promise<void> {
  const { username } = await fetchAccount()
  await signIn(username)
  await requireSessionCookie()
}
