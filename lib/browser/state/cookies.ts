import { cookieName, maxCookieSeconds } from '@/lib/api/names'
import { localZone } from '@/lib/messages/format/dates'

/*
 * Cookies that this browser's script shares with the server. Some browsers throw where the person forbids cookies; pages then
 * do without.
 */

type SharedCookie = 'notices' | 'zone'

const isSecure = () => window.location.protocol === 'https:'
const nameOf = (name: SharedCookie) => cookieName(name, isSecure())

export function readCookie(name: SharedCookie): string | null {
  const start = `${nameOf(name)}=`
  try {
    const cookie = document.cookie.split('; ').find((one) => one.startsWith(start))
    return cookie?.slice(start.length) ?? null
  } catch {
    return null
  }
}

/** An empty value removes it. */
export function writeCookie(name: SharedCookie, value: string): void {
  const secure = isSecure() ? '; Secure' : ''
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API, nor do insecure pages.
    document.cookie = `${nameOf(name)}=${value}; Path=/; Max-Age=${value ? maxCookieSeconds : 0}; SameSite=Lax${secure}`
  } catch {
    // A browser that throws here lets nothing be read, either.
  }
}

/** Stores the reader's time zone in a cookie, so that the server renders the next page's times in it. */
export function rememberZone(): void {
  const zone = localZone()
  if (zone !== null && readCookie('zone') !== zone) writeCookie('zone', zone)
}
