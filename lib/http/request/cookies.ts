import { parseCookie, parseSetCookie, stringifySetCookie } from 'cookie'
import { cookieName } from '@/lib/api/names'
import type { AccessCookie } from '@/lib/auth/tokens/access-tokens'
import { settings } from '@/lib/settings/settings'
import type { ReadableHeaders } from './headers'

/** Our cookies. */
type CookieName = 'session' | 'device' | 'notices' | 'locale' | 'hint' | 'ending' | 'zone'

const nameOf = (name: CookieName) => cookieName(name, settings().secureCookies)

export const readCookie = (headers: ReadableHeaders, name: CookieName) => cookieValue(headers, nameOf(name))

/** Decodes this cookie alone: a header has room for thousands that cannot be decoded, and each of them throws. */
function cookieValue(headers: ReadableHeaders, name: string): string | null {
  const { [name]: encoded } = parseCookie(headers.get('Cookie') ?? '', { decode: (text) => text })
  return encoded === undefined ? null : (parseCookie(`${name}=${encoded}`)[name] ?? null)
}

/** Not `__Host-`: apps on other hosts of ACCESS_COOKIE_DOMAIN get it, too. */
const accessName = '__Secure-access'

export const readAccessCookie = (headers: Headers) => cookieValue(headers, accessName)

/** The `Set-Cookie` that sets it; without a token, that removes it. */
export const serializeAccessCookie = (domain: string, { token, seconds }: AccessCookie = { token: '', seconds: 0 }) =>
  stringifySetCookie({
    name: accessName,
    value: token,
    maxAge: seconds,
    domain,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: true,
  })

/** Null if the response does not set the cookie, or removes it. */
export function readSetCookie(headers: Headers, name: CookieName): string | null {
  const cookies = headers.getSetCookie().map((line) => parseSetCookie(line))
  return cookies.find((cookie) => cookie.name === nameOf(name))?.value || null
}

/** A `Set-Cookie`. HttpOnly hides the value from scripts, Lax keeps it out of cross-site requests; 0 seconds remove it. */
export function serializeCookie(name: CookieName, value: string, seconds: number): string {
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

/** Which notices this browser has dismissed; lib/browser writes it. */
export const readNoticeMemory = (headers: Headers) => readCookie(headers, 'notices')

/**
 * Which sentence of `arrivals` explains the redirect to /signin. Expiry and sign-out in this browser remove the cookie; one that
 * is still there belongs to a session that ended elsewhere.
 */
export const signInReason = (headers: ReadableHeaders): 'sign_in' | 'session_ended' =>
  readCookie(headers, 'session') === null ? 'sign_in' : 'session_ended'
