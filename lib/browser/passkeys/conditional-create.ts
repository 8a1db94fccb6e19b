import { WebAuthnAbortService } from '@simplewebauthn/browser'
import { capability } from './capabilities'
import { register } from './ceremony'

/** The browser may take so many milliseconds to create the passkey: some neither create it nor fail. */
const creationTimeout = 2500

/**
 * Lets the password manager that just filled in the password create a passkey without a prompt (conditional create,
 * WebAuthn Level 3, section 5.1.3). Never rejects: the person did not ask for a passkey.
 */
export async function createPasskeyConditionally(): Promise<void> {
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
