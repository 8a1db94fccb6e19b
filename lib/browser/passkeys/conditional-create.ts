import { WebAuthnAbortService } from '@simplewebauthn/browser'
import { capability } from '../capabilities'
import { register } from './ceremony'

/** Some browsers neither make the passkey nor say no. Longer than this nobody who just signed in is kept waiting. */
const patience = 2500

/**
 * Has the password manager that just filled in the password make a passkey beside it, without asking the person (conditional create, WebAuthn
 * level 3, section 5.1.3). A passkey that is not made is no failure: nobody asked for one. Never rejects.
 */
export async function createPasskeyConditionally(): Promise<void> {
  const deadline = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      deadline.abort()
      WebAuthnAbortService.cancelCeremony()
      resolve()
    }, patience)
  })
  // One that was made is waited for: the next page tells the password manager which passkeys there are.
  await Promise.race([makePasskey(deadline.signal, () => clearTimeout(timer)), passed])
  clearTimeout(timer)
}

async function makePasskey(deadline: AbortSignal, onMade: () => void): Promise<void> {
  try {
    // Unlike elsewhere `unknown` does not mean "try it": a browser that has never heard of it would open a prompt.
    if ((await capability('conditionalCreate')) !== 'supported') return
    await register({ automatic: true }, deadline, onMade)
  } catch {
    // Silent, as described above.
  }
}
