import type { Site } from '@/lib/api/site'
import { pageNamespace } from '@/lib/messages/browser-words'
import { keepInTab, readFromTab, removeFromTab } from '../state/storage'

/** Some extensions do not remove WebAuthn, but leave names without a value. */
export const hasPasskeys = () => typeof window.PublicKeyCredential === 'function' && Boolean(navigator.credentials)

/** Why passkeys don't work on this page, or null if they do. Browser only. */
export function passkeyUnsupportedReason(site: Site): string | null {
  if (!site.origins.includes(window.location.origin)) return site.elsewhere
  const words = pageNamespace('failures').unsupported
  if (!window.isSecureContext) return words.insecure
  return hasPasskeys() ? null : words.browser
}

/*
 * The passkey of another device (a phone or a security key) that signed in to this tab, so that the profile can suggest
 * one for this device. Without storage, nothing is suggested.
 */
const key = 'latchkey.cross-device-passkey'

export function rememberCrossDevice(credentialId: string): void {
  keepInTab(key, credentialId)
}

export const crossDevicePasskey = (): string | null => readFromTab(key)

export const forgetCrossDevice = (): void => removeFromTab(key)
