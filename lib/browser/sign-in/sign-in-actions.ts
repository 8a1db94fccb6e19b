import { pageNamespace } from '@/lib/messages/page-words'
import { runAction } from '../failures/describe-failure'
import type { Outcome } from '../failures/outcomes'
import { type CeremonyResult, verifyAuthentication } from '../passkeys/ceremony'
import { createPasskeyConditionally } from '../passkeys/conditional-create'
import { forgetCrossDevice } from '../passkeys/support'
import { post, requireSessionCookie } from '../requests/post'

/* The requests of /signin, which `loadActions` in passkey-offer.ts loads when they are first needed. */

/**
 * Signs in with a password. Trims the username, but not the password.
 *
 * @param conditionalCreate true if passkeys work here, so that the password manager may then create one
 */
export function postPassword(
  username: string,
  password: string,
  { conditionalCreate }: { conditionalCreate: boolean },
): Promise<Outcome> {
  const action = async () => {
    await post('/api/signin', { username: username.trim(), password })
    await requireSessionCookie()
    forgetCrossDevice()
    if (conditionalCreate) await createPasskeyConditionally()
  }
  const { checkUsernameAndPassword, lockedOut, lockedOutCodes } = pageNamespace('failures')
  return runAction(action, {
    fields: ['username', 'password'],
    denied: checkUsernameAndPassword,
    // The ways that stay open. Says the same of a name that nobody has.
    lockedOut: conditionalCreate ? lockedOut : lockedOutCodes,
  })
}

export function postRecoveryCode(username: string, code: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/signin/recovery', { username: username.trim(), code })
    await requireSessionCookie()
    forgetCrossDevice()
  }
  return runAction(action, { fields: ['username', 'code'], denied: pageNamespace('failures').checkUsernameAndCode })
}

/** Fresh options of a passkey authentication. Those that the page brings are for any account, too. */
export const fetchOptions = () => post('/api/auth/login/options', { anyAccount: true })

/** Signs in with a passkey's response. */
export const postResponse = (result: Promise<CeremonyResult>): Promise<Outcome> =>
  runAction(async () => verifyAuthentication(await result))

export const postRememberedUsername = () => post('/api/i/hint', { remember: true })
