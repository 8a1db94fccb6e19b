import { parseCookie, parseSetCookie, stringifySetCookie } from 'cookie'
import { settings } from '@/lib/settings/settings'

/** Our cookies. `__Host-` makes the browser refuse one that another host of the domain planted (RFC 6265bis section 4.1.3.2). */
export type CookieName = 'session' | 'device'

const nameOf = (name: CookieName) => (settings().secureCookies ? `__Host-${name}` : name)

/** The value of one of our cookies, or null. */
export function readCookie(headers: Headers, name: CookieName): string | null {
  return parseCookie(headers.get('Cookie') ?? '')[nameOf(name)] ?? null
}

/** What an answer sets one of our cookies to; null where it sets none or removes it. */
export function readSetCookie(headers: Headers, name: CookieName): string | null {
  const cookies = headers.getSetCookie().map((line) => parseSetCookie(line))
  return cookies.find((cookie) => cookie.name === nameOf(name))?.value || null
}

/**
 * A Set-Cookie header. HttpOnly keeps the token from scripts; Lax keeps it from requests that other sites make.
 *
 * @param seconds how long the browser keeps it; 0 removes it
 */
export function setCookie(name: CookieName, value: string, seconds: number): string {
  return stringifySetCookie({
    name: nameOf(name),
    value,
    maxAge: seconds,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: settings().secureCookies,
  })
}
