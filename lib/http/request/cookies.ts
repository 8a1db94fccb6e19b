import { parseCookie, parseSetCookie, stringifySetCookie } from 'cookie'
import { cookieName } from '@/lib/api/names'
import type { AccessCookie } from '@/lib/auth/tokens/access-tokens'
import { settings } from '@/lib/settings/settings'
import type { ReadableHeaders } from './head'

/** Our cookies. */
type CookieName = 'session' | 'device' | 'notices' | 'locale' | 'hint' | 'ending' | 'zone' | 'recovery'

const nameOf = (name: CookieName) => cookieName(name, settings().secureCookies)

export const readCookie = (headers: ReadableHeaders, name: CookieName) => cookieValue(headers, nameOf(name))

/** Decodes this cookie alone: a stranger's header has room for thousands that cannot be decoded, and each throws an error. */
function cookieValue(headers: ReadableHeaders, name: string): string | null {
  const { [name]: encoded } = parseCookie(headers.get('Cookie') ?? '', { decode: (text) => text })
  return encoded === undefined ? null : (parseCookie(`${name}=${encoded}`)[name] ?? null)
}

/** Has no prefix `__Host-`, because apps on other hosts of ACCESS_COOKIE_DOMAIN get it, too. */
const accessName = '__Secure-access'

export const readAccessCookie = (headers: Headers) => cookieValue(headers, accessName)

/** Makes the `Set-Cookie` that sets the access cookie, or without a token removes it. */
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

/** Makes the `Set-Cookie` of one of ours. HttpOnly hides it from scripts, Lax from cross-site requests; 0 seconds remove it. */
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

/** Reads which notices this browser has dismissed; lib/browser writes the cookie. */
export const readNoticeMemory = (headers: Headers) => readCookie(headers, 'notices')
