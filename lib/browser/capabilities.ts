import { type BrowserCapabilities, getBrowserCapabilities } from '@simplewebauthn/browser'

/** What this browser says of a capability (WebAuthn level 3, section 5.1.7); `unknown`, where it says nothing, means: try it. */
export async function capability(name: keyof BrowserCapabilities): Promise<BrowserCapabilities[typeof name]> {
  try {
    return (await getBrowserCapabilities())[name]
  } catch {
    // It throws where WebAuthn is missing, and where a password manager's extension answers nonsense.
    return 'unknown'
  }
}

/** Tells whether a passkey can be made without a security key: on this device, or on a phone nearby. True unless the browser denies both. */
export async function keepsPasskeys(): Promise<boolean> {
  const answers = await Promise.all([capability('passkeyPlatformAuthenticator'), capability('hybridTransport')])
  return answers.some((answer) => answer !== 'unsupported')
}
