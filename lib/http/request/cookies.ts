import { parseCookie, parseSetCookie, stringifySetCookie } from 'cookie'
import { limits } from '@/lib/api/limits'
import { cookieName, maxCookieSeconds } from '@/lib/api/names'
import type { RememberedSignIn } from '@/lib/api/site'
import type { AccessCookie } from '@/lib/auth/tokens/access-tokens'
import { cutsOf } from '@/lib/mark'
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

/* Why somebody arrives at a page. Each reason is a sentence of the namespace `arrivals`. */

/**
 * Why a page has redirected to /signin. Expiry, and a sign-out in this browser, remove the session's cookie, so a cookie that is
 * still there belongs to a session that ended elsewhere.
 */
export const signInReason = (headers: ReadableHeaders): 'sign_in' | 'session_ended' =>
  readCookie(headers, 'session') === null ? 'sign_in' : 'session_ended'

/** The ways in which a session has just ended. */
const endings = ['signed_out', 'signed_out_everywhere', 'account_deleted'] as const

type Ending = (typeof endings)[number]

const endingSeconds = 60

/** Makes the next page say how the session ended; null removes the cookie. */
export const endingCookie = (ending: Ending | null) =>
  serializeCookie('ending', ending ?? '', ending === null ? 0 : endingSeconds)

/** False with `next`: the sign-out may have redirected another tab here, and the sentence is for the tab that signed out. */
export const showsEnding = (next: unknown) => next === undefined || next === null

/** Reads how the session ended, for a page with this `next`. It comes from a cookie, because anyone can link to a URL. */
export function readEnding(headers: ReadableHeaders, next: unknown): Ending | null {
  if (!showsEnding(next)) return null
  const value = readCookie(headers, 'ending')
  return endings.find((ending) => ending === value) ?? null
}

/* Who has signed in with this browser, and how: the cookie `hint`. */

const { min, max, characters } = limits.username
const personFormat = new RegExp(`^(passkey|password|)\\.([0-3]{8})\\.([${characters}-]{${min},${max}})$`)

/** A browser that more people share is no one's own, and a longer list would have no end. */
const mostPeople = 5

const methodOf = (text: string | undefined) => (text === 'passkey' || text === 'password' ? text : null)

/** Reads the cookie `hint`: the method of the last sign-in, and after each `~` a person, whose username cannot have one. */
export function readRememberedSignIn(headers: ReadableHeaders): RememberedSignIn {
  const [method, ...people] = (readCookie(headers, 'hint') ?? '').split('~')
  return {
    method: methodOf(method),
    people: people.slice(0, mostPeople).flatMap((text) => {
      const [, method, cuts, username] = personFormat.exec(text) ?? []
      return cuts && username ? [{ method: methodOf(method), cuts, username }] : []
    }),
  }
}

export const noRememberedSignIn: RememberedSignIn = { method: null, people: [] }

/** Makes the `Set-Cookie` of the remembered sign-in; without a method and people, it removes the cookie `hint`. */
export function rememberedSignInCookie({ method, people }: RememberedSignIn): string {
  const texts = people.slice(0, mostPeople).map(({ method, cuts, username }) => `${method ?? ''}.${cuts}.${username}`)
  const value = [method ?? '', ...texts].join('~')
  return serializeCookie('hint', value, value === '' ? 0 : maxCookieSeconds)
}

/** After a sign-in: a person who is remembered comes first; nobody is added, because that is theirs to ask for. */
export function rememberedAfterSignIn(
  { method: before, people }: RememberedSignIn,
  method: RememberedSignIn['method'],
  user: { id: string; username: string },
): RememberedSignIn {
  const remembered = { method: method ?? before, people }
  return isRemembered(remembered, user) ? withPerson(remembered, user) : remembered
}

const isRemembered = ({ people }: RememberedSignIn, { id }: { id: string }) =>
  people.some(({ cuts }) => cuts === cutsOf(id))

/** Puts a person first, under the name that they have now. */
export const withPerson = (
  remembered: RememberedSignIn,
  { id, username }: { id: string; username: string },
): RememberedSignIn => ({
  ...remembered,
  people: [{ method: remembered.method, cuts: cutsOf(id), username }, ...withoutPerson(remembered, id).people],
})

export const withoutPerson = (remembered: RememberedSignIn, id: string): RememberedSignIn => ({
  ...remembered,
  people: remembered.people.filter(({ cuts }) => cuts !== cutsOf(id)),
})

/** Follows a new name of somebody who is remembered. */
export const renamedPerson = (
  remembered: RememberedSignIn,
  user: { id: string; username: string },
): RememberedSignIn | null => (isRemembered(remembered, user) ? withPerson(remembered, user) : null)
