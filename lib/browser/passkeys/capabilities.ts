type Capability =
  | 'conditionalCreate'
  | 'conditionalGet'
  | 'hybridTransport'
  | 'immediateGet'
  | 'passkeyPlatformAuthenticator'
  | 'userVerifyingPlatformAuthenticator'

/** How long an answer is waited for, in milliseconds. What replaces the browser's own may answer after seconds, or never. */
const longestWait = 200

/** What the browser has said so far. */
let said: Partial<Record<string, unknown>> = {}

let waited: Promise<unknown> | undefined

/** Asked once, when the page first needs it, which is as it loads: nobody waits again at a press. */
function waitOnce(): Promise<unknown> {
  waited ??= Promise.race([ask(), new Promise((resolve) => setTimeout(resolve, longestWait))])
  return waited
}

async function ask(): Promise<void> {
  try {
    said = (await PublicKeyCredential.getClientCapabilities()) ?? {}
  } catch {
    // WebAuthn or this method is missing, or a password manager's does not work.
  }
}

/** Whether the browser reports a capability (WebAuthn Level 3, section 5.1.7); `unknown` if it does not say, and trying is the only way. */
export async function capability(name: Capability): Promise<'supported' | 'unsupported' | 'unknown'> {
  await waitOnce()
  const answer = said[name]
  return typeof answer !== 'boolean' ? 'unknown' : answer ? 'supported' : 'unsupported'
}

/** False only if the browser rules it out. */
export const mayHave = async (name: Capability) => (await capability(name)) !== 'unsupported'

/** Whether this device itself can store a passkey. True unless the browser rules it out. */
export const deviceStoresPasskeys = () => mayHave('userVerifyingPlatformAuthenticator')

/** Whether a passkey can be stored without a security key, on this device or on a phone. True unless the browser rules out both. */
export const canStoreWithoutSecurityKey = async () =>
  (await mayHave('passkeyPlatformAuthenticator')) || mayHave('hybridTransport')

/**
 * Whether passkeys can be offered in autofill. Nobody waits for that offer, so the browser may take its time to answer; one that
 * never does makes none.
 */
export async function canAutofillPasskeys(): Promise<boolean> {
  const reported = await capability('conditionalGet')
  if (reported !== 'unknown') return reported === 'supported'
  try {
    return (await PublicKeyCredential.isConditionalMediationAvailable()) === true
  } catch {
    return false
  }
}
