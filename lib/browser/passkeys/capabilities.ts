import type { Site } from '@/lib/api/site'
import { pageNamespace } from '@/lib/messages/page-words'

/** Checks types, because some extensions leave WebAuthn's names without a value. */
export const hasPasskeys = () => typeof window.PublicKeyCredential === 'function' && Boolean(navigator.credentials)

/** Says why passkeys don't work on this page; null if they do. Browser only. */
export function passkeyUnsupportedReason(site: Site): string | null {
  if (!site.origins.includes(window.location.origin)) return site.elsewhere
  const words = pageNamespace('failures').unsupported
  if (!window.isSecureContext) return words.insecure
  return hasPasskeys() ? null : words.browser
}

type Capability =
  | 'conditionalCreate'
  | 'conditionalGet'
  | 'hybridTransport'
  | 'immediateGet'
  | 'passkeyPlatformAuthenticator'
  | 'userVerifyingPlatformAuthenticator'

/**
 * Asks the browser for a capability (WebAuthn Level 3, section 5.1.7); `unknown` if it does not say, so that only trying tells.
 */
export async function capability(name: Capability): Promise<'supported' | 'unsupported' | 'unknown'> {
  await waitOnce()
  const answer = said[name]
  return typeof answer !== 'boolean' ? 'unknown' : answer ? 'supported' : 'unsupported'
}

/** True unless the browser rules the capability out. */
export const mayHave = async (name: Capability) => (await capability(name)) !== 'unsupported'

/** True if this device itself can store a passkey, unless the browser rules it out. */
export const deviceStoresPasskeys = () => mayHave('userVerifyingPlatformAuthenticator')

/** True if this device or a phone can store a passkey, without a security key, unless the browser rules out both. */
export const canStoreWithoutSecurityKey = async () =>
  (await mayHave('passkeyPlatformAuthenticator')) || mayHave('hybridTransport')

/**
 * True if autofill can offer passkeys. Nobody waits for that offer, so the browser may take its time to answer; one that never
 * answers makes no offer.
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

/** How many milliseconds it waits for an answer: a password manager in the browser's place may answer after seconds, or never. */
const longestWait = 200

/** The browser's answers so far. */
let said: Partial<Record<string, unknown>> = {}

let waited: Promise<unknown> | undefined

/** Waits once, when the page first needs an answer, which is while it loads: nobody waits again at a press. */
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
