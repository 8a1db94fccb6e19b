import { WebAuthnAbortService } from '@simplewebauthn/browser'
import { pageNamespace } from '@/lib/messages/page-words'
import { runAction } from '../failures/describe-failure'
import type { Outcome } from '../failures/outcomes'
import { capability } from '../passkeys/capabilities'
import { type CeremonyResult, register, verifyAuthentication } from '../passkeys/ceremony'
import { post, requireSessionCookie } from '../requests/post'
import { forgetCrossDevice } from '../state/storage'

/* The requests of /signin, which `loadActions` in passkey-offer.ts loads when they are first needed. */

/**
 * Signs in with a password. Trims the username, but not the password.
 *
 * @param known true if the page names the person, who then has typed a password only
 * @param conditionalCreate true if passkeys work here, so that the password manager may then create one
 */
export function postPassword(
  username: string,
  password: string,
  { known, conditionalCreate }: { known: boolean; conditionalCreate: boolean },
): Promise<Outcome> {
  const action = async () => {
    await post('/api/signin', { username: username.trim(), password })
    await requireSessionCookie()
    forgetCrossDevice()
    if (conditionalCreate) await createPasskeyConditionally()
  }
  const { checkPassword, checkUsernameAndPassword, lockedOut, lockedOutCodes } = pageNamespace('failures')
  return runAction(action, {
    fields: ['username', 'password'],
    denied: known ? checkPassword : checkUsernameAndPassword,
    // The ways that stay open. Says the same of a name that nobody has.
    lockedOut: conditionalCreate ? lockedOut : lockedOutCodes,
  })
}

/** How many milliseconds the browser may take to create the passkey: some neither create it nor fail. */
const creationTimeout = 2500

/**
 * Lets the password manager that just filled in the password create a passkey without a prompt (conditional create,
 * WebAuthn Level 3, section 5.1.3). Never rejects: the person did not ask for a passkey.
 */
async function createPasskeyConditionally(): Promise<void> {
  const deadline = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      deadline.abort()
      WebAuthnAbortService.cancelCeremony()
      resolve()
    }, creationTimeout)
  })
  // Waits for a created passkey: the next page signals the registered passkeys, and it must be among them.
  await Promise.race([createPasskey(deadline.signal, () => clearTimeout(timer)), passed])
  clearTimeout(timer)
}

async function createPasskey(deadline: AbortSignal, onCreated: () => void): Promise<void> {
  try {
    // `unknown` is not enough here: a browser without conditional create would open a prompt.
    if ((await capability('conditionalCreate')) !== 'supported') return
    await register({ automatic: true }, deadline, onCreated)
  } catch {
    // Ignored, as described above.
  }
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
