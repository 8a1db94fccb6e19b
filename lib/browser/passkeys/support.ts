import type { Site } from '../site'

/** Why passkeys cannot be used on this page, or null when they can. Browser only. */
export function passkeyUnsupportedReason(site: Site): string | null {
  const { origin } = window.location
  if (!site.origins.includes(origin)) {
    const where = site.origins.join(' or ')
    if (site.originConfigured) return `Passkeys for this service work only at ${where}.`
    return `Passkeys at this address need APP_ORIGIN set to its https address. Until then they work only at ${where}.`
  }
  if (!window.isSecureContext) return 'Passkeys need a secure address, and this one is not https.'
  return 'PublicKeyCredential' in window ? null : 'This browser has no passkeys.'
}
