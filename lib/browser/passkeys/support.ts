import type { Site } from '../site'

/** Why passkeys don't work on this page, or null if they do. Browser only. */
export function passkeyUnsupportedReason(site: Site): string | null {
  const { origin } = window.location
  if (!site.origins.includes(origin)) {
    const where = site.origins.join(' or ')
    if (site.originConfigured) return `Passkeys for this site only work at ${where}.`
    return `To use passkeys at this address, set APP_ORIGIN to its https address. Until then they only work at ${where}.`
  }
  if (!window.isSecureContext) return 'Passkeys need a secure connection (https).'
  return 'PublicKeyCredential' in window ? null : "This browser doesn't support passkeys."
}
