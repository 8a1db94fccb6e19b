import type { Site } from '@/lib/api/site'
import { pageNamespace } from '@/lib/messages/browser-words'

/** Some extensions do not remove WebAuthn, but leave names without a value. */
export const hasPasskeys = () => typeof window.PublicKeyCredential === 'function' && Boolean(navigator.credentials)

/** Why passkeys don't work on this page, or null if they do. Browser only. */
export function passkeyUnsupportedReason(site: Site): string | null {
  if (!site.origins.includes(window.location.origin)) return site.elsewhere
  const words = pageNamespace('failures').unsupported
  if (!window.isSecureContext) return words.insecure
  return hasPasskeys() ? null : words.browser
}
