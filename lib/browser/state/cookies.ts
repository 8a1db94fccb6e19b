import { maxCookieSeconds } from '@/lib/api/cookie-age'

/** Cookies that this browser's script shares with the server. */
type SharedCookie = 'notices' | 'zone'

/** With `__Host-`, no other host of the domain can set it. The same names as in lib/http/request/cookies.ts. */
const nameOf = (name: SharedCookie) => (window.location.protocol === 'https:' ? `__Host-${name}` : name)

export function readCookie(name: SharedCookie): string | null {
  const start = `${nameOf(name)}=`
  const cookie = document.cookie.split('; ').find((one) => one.startsWith(start))
  return cookie?.slice(start.length) ?? null
}

/** An empty value removes it. */
export function writeCookie(name: SharedCookie, value: string): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API, nor do insecure pages.
  document.cookie = `${nameOf(name)}=${value}; Path=/; Max-Age=${value ? maxCookieSeconds : 0}; SameSite=Lax${secure}`
}
