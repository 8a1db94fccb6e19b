import type { Site } from '@/lib/api/site'
import { pageNamespace } from '@/lib/messages/page-words'
import { keepInTab, readFromTab, removeFromTab } from '../state/storage'

/** Checks types, because some extensions leave WebAuthn's names without a value. */
export const hasPasskeys = () => typeof window.PublicKeyCredential === 'function' && Boolean(navigator.credentials)

/** Says why passkeys don't work on this page; null if they do. Browser only. */
export function passkeyUnsupportedReason(site: Site): string | null {
  if (!site.origins.includes(window.location.origin)) return site.elsewhere
  const words = pageNamespace('failures').unsupported
  if (!window.isSecureContext) return words.insecure
  return hasPasskeys() ? null : words.browser
}

/*
 * Remembers that a passkey of another device (a phone or a security key) signed in to this tab, so that the profile can suggest
 * one for this device. Without storage, the profile suggests nothing.
 */
const key = 'latchkey.cross-device-passkey'

export function rememberCrossDevice(credentialId: string): void {
  keepInTab(key, credentialId)
}

export const crossDevicePasskey = (): string | null => readFromTab(key)

export const forgetCrossDevice = (): void => removeFromTab(key)
