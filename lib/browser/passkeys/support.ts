import { fill, listed } from '@/lib/messages/format'
import { pageLocale, pageRoom } from '@/lib/messages/page-words'
import type { Site } from '../site'

/** Why passkeys don't work on this page, or null if they do. Browser only. */
export function passkeyUnsupportedReason(site: Site): string | null {
  const { origin } = window.location
  const words = pageRoom('failures').support
  if (!site.origins.includes(origin)) {
    const addresses = listed(pageLocale(), site.origins)
    return fill(pageLocale(), site.originConfigured ? words.onlyAt : words.unconfigured, { addresses })
  }
  if (!window.isSecureContext) return words.insecure
  return 'PublicKeyCredential' in window ? null : words.unsupported
}
