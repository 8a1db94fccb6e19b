type Capability =
  | 'conditionalCreate'
  | 'conditionalGet'
  | 'hybridTransport'
  | 'immediateGet'
  | 'passkeyPlatformAuthenticator'
  | 'userVerifyingPlatformAuthenticator'

/** Whether the browser reports a capability (WebAuthn Level 3, section 5.1.7); `unknown` if it does not say, and trying is the only way. */
export async function capability(name: Capability): Promise<'supported' | 'unsupported' | 'unknown'> {
  try {
    const answer = (await PublicKeyCredential.getClientCapabilities())[name]
    return answer === undefined ? 'unknown' : answer ? 'supported' : 'unsupported'
  } catch {
    // Throws where WebAuthn or this method is missing, or where a password manager's extension returns something malformed.
    return 'unknown'
  }
}

/** False only if the browser rules it out. */
export const mayHave = async (name: Capability) => (await capability(name)) !== 'unsupported'

/** Whether this device itself can store a passkey. True unless the browser rules it out. */
export const deviceStoresPasskeys = () => mayHave('userVerifyingPlatformAuthenticator')

/** Whether a passkey can be stored without a security key, on this device or on a phone. True unless the browser rules out both. */
export const canStoreWithoutSecurityKey = async () =>
  (await mayHave('passkeyPlatformAuthenticator')) || mayHave('hybridTransport')
