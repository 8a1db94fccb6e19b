import { limits } from '@/lib/api/limits'
import { maxCookieSeconds } from '@/lib/api/names'
import type { RememberedSignIn } from '@/lib/api/site'
import { cutsOf } from '@/lib/mark'
import { wordsIn } from '@/lib/messages/catalogues'
import { isTimeZone } from '@/lib/messages/format/dates'
import { isLocale, type Locale, locales } from '@/lib/messages/locales'
import type { PageLanguage } from '@/lib/messages/page-words'
import { authorizationPath } from '@/lib/openid/requests/interaction'
import { settings } from '@/lib/settings/settings'
import { readCookie, serializeCookie } from './cookies'
import type { ReadableHeaders } from './headers'

/** The ways in which a session has just ended. Each has a sentence in the namespace `arrivals`. */
const flashMessages = ['signed_out', 'signed_out_everywhere', 'account_deleted'] as const

type FlashMessage = (typeof flashMessages)[number]

const cookieSeconds = 60

/** Makes the next page show the message; null removes the cookie. */
export const flashMessageCookie = (message: FlashMessage | null) =>
  serializeCookie('ending', message ?? '', message === null ? 0 : cookieSeconds)

/** False with `next`: the sign-out may have redirected another tab here, and the message is for the tab that signed out. */
export const showsFlashMessage = (next: unknown) => next === undefined || next === null

/** The message for a page with this `next`. It comes from a cookie, because anyone can link to a URL. */
export function readFlashMessage(headers: ReadableHeaders, next: unknown): FlashMessage | null {
  if (!showsFlashMessage(next)) return null
  const value = readCookie(headers, 'ending')
  return flashMessages.find((message) => message === value) ?? null
}

/** LOCALE, else the person's choice in this browser, else the app's (`ofApp`), else the browser's, else English. */
export function localeOf(headers: ReadableHeaders, ofApp: Locale | null = null): Locale {
  const { locale } = settings()
  if (locale) return locale
  const chosen = readCookie(headers, 'locale') ?? ''
  return isLocale(chosen) ? chosen : (ofApp ?? negotiate(headers.get('Accept-Language') ?? '') ?? 'en')
}

/**
 * The first of our languages among the `ui_locales` of the app's request that a page belongs to. Reads the page's URL, or that
 * of the request which the page leads back to; no cookie keeps it, because it is for that request alone (OpenID Connect Core
 * section 3.1.2.1).
 */
export function localeOfApp(search: string): Locale | null {
  const query = new URLSearchParams(search)
  const [path, request] = (query.get('next') ?? '').split('?', 2)
  const tags =
    query.get('ui_locales') ?? (path === authorizationPath ? new URLSearchParams(request).get('ui_locales') : null)
  return (
    (tags ?? '')
      .split(' ')
      .map((tag) => tag.toLowerCase().split('-')[0] ?? '')
      .find(isLocale) ?? null
  )
}

/** The first of our languages that a browser accepts (RFC 9110 section 12.5.4, RFC 4647 section 3.4): `de-AT` finds `de`. */
function negotiate(accepted: string): Locale | undefined {
  const ranges = accepted.split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { language: tag.split('-')[0] ?? '', weight: weight === undefined ? 1 : Number(weight) }
  })
  const known = ranges.filter(({ language, weight }) => isLocale(language) && weight > 0)
  // The sort is stable: among equals, the first wins.
  const [best] = known.sort((a, b) => b.weight - a.weight)
  return locales.find((locale) => locale === best?.language)
}

export function pageLanguage(headers: Headers): PageLanguage {
  const locale = localeOf(headers)
  const zone = readCookie(headers, 'zone')
  return {
    locale,
    words: wordsIn(locale),
    choices: settings().locale ? [] : locales,
    clock: { zone: zone !== null && isTimeZone(zone) ? zone : null, now: Date.now() },
  }
}

const { min, max, characters } = limits.username
const personFormat = new RegExp(`^(passkey|password|)\\.([0-3]{8})\\.([${characters}-]{${min},${max}})$`)

/** A browser that more people share is no one's own, and a longer list would have no end. */
const mostPeople = 5

const methodOf = (text: string | undefined) => (text === 'passkey' || text === 'password' ? text : null)

/** The cookie `hint`: the method of the last sign-in, and after each `~` a person, whose username cannot have one. */
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

/** The `Set-Cookie` of the remembered sign-in; without a method and people, it removes the cookie `hint`. */
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
