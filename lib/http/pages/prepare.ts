import { randomBytes } from 'node:crypto'
import { maxCookieSeconds } from '@/lib/api/names'
import { readSessionToken } from '@/lib/auth/tokens/tokens'
import { isLocale, type Locale } from '@/lib/messages/locales'
import { settings } from '@/lib/settings/settings'
import { sessionTokenOf } from '../request/context'
import {
  endingCookie,
  noRememberedSignIn,
  readEnding,
  rememberedSignInCookie,
  serializeCookie,
} from '../request/cookies'
import { decodePath, longestTarget, type ReadableHeaders, withoutParameter } from '../request/head'
import { localeOf, localeOfApp } from '../request/language'
import { pageHeaders } from '../response/headers'

/** The pages that need a session. */
export const protectedPages: readonly string[] = ['/welcome', '/notices', '/secure', '/profile', '/passkeys', '/device']

/** Latchkey's own pages except the operators', which `isAdminPath` knows. A fork's are none of these: `proxy.ts` prepares them. */
export const ownPages: ReadonlySet<string> = new Set([
  ...['/', '/signin', '/signup', '/recover', '/recover/stop', '/consent', '/signout', ...protectedPages],
  ...['/profile/about-you', '/profile/activity', '/profile/apps', '/profile/devices'],
])

/** The methods of our pages. POST would admit Server Actions, of which they have none. */
export const pageMethods: readonly string[] = ['GET', 'HEAD']

export const isOwnPage = (path: string) => ownPages.has(path)

/** Also where Next would first resolve dot segments or decode: what it takes for an operators' page must count as one here. */
export function isAdminPath(path: string): boolean {
  const resolved = new URL(path.replace(/^[/\\]+/, '/'), 'http://latchkey').pathname
  return /^\/admin(\/|$)/.test(decodePath(resolved) ?? resolved)
}

/**
 * Makes Next answer a request as one for an unknown path, by a rewrite of next.config.mjs. A page that calls `notFound()` is
 * another 404, whose bytes show that there is a page.
 */
export const hiddenHeader = 'latchkey-hidden'

/** Next reads its scripts' nonce from this request header; proxy.ts skips requests that have it. */
export const policyHeader = 'content-security-policy'

/** The nonce of a page's styles and scripts, from the request header that `preparePage` has set. */
export const nonceOf = (headers: Headers) => /'nonce-([\w+/=]+)'/.exec(headers.get(policyHeader) ?? '')?.[1]

/** Handles `?locale=`. A GET may do this: another site's link can change nothing but the language. */
function chooseLanguage(search: string): { search: string; cookie: string } | null {
  const locale = new URLSearchParams(search).get('locale') ?? ''
  if (settings().locale || !isLocale(locale)) return null
  const cookie = serializeCookie('locale', locale, maxCookieSeconds)
  return { search: withoutParameter(search, 'locale') ?? '', cookie }
}

interface PageRequest {
  path: string
  /** Begins with the question mark; empty without a query */
  search: string
  headers: ReadableHeaders
}

export interface Preparation {
  /** What the response gets */
  headers: Record<string, string>
  cookies: string[]
  redirection: { status: 303 | 307; path: string; search: string } | null
  /** What the request gets: Next reads the nonce for its scripts from its policy, and a page its language */
  forNext: Record<string, string>
}

/** Makes a page's language the app's in place of the browser's, which Next reads from this header of the request. */
export const inLanguageOf = (app: Locale | null): Record<string, string> => (app ? { 'accept-language': app } : {})

/**
 * What is done to a page before Next renders it, by `proxy.ts` or by our server: makes its headers, cookies and redirect, without
 * the database, since the pages check access themselves.
 */
export async function preparePage(
  request: PageRequest,
  protectedPaths: readonly string[],
  development = false,
): Promise<Preparation> {
  const headers = pageHeaders({
    nonce: randomBytes(16).toString('base64'),
    secure: settings().secureCookies,
    development,
    imageOrigins: settings().logoOrigins,
  })
  const language = localeOfApp(request.search)
  const forNext = { [policyHeader]: headers['Content-Security-Policy'] ?? '', ...inLanguageOf(language) }
  const changed = changeCookie(request)
  if (changed) {
    // Browsers take a path that begins with two slashes for another host (RFC 3986 section 4.2).
    const redirection = { status: 303, path: request.path.replace(/^[/\\]+/, '/'), search: changed.search } as const
    return { headers: { ...headers, 'Cache-Control': 'no-store' }, cookies: [changed.cookie], redirection, forNext }
  }
  if (await needsSignIn(request, protectedPaths)) {
    const next = new URLSearchParams({ next: request.path + request.search })
    // Without `next`, if that is too long for the way back: the sign-in then leads to the profile.
    const search = next.toString().length > longestTarget ? '' : `?${next}`
    return { headers, cookies: [], redirection: { status: 307, path: '/signin', search }, forNext }
  }
  // Removes the message's cookie, so that a reload or a step back does not show it again.
  const cookies = hasEnding(request) ? [endingCookie(null)] : []
  return {
    headers: { ...headers, 'Content-Language': localeOf(request.headers, language) },
    cookies,
    redirection: null,
    forNext,
  }
}

function changeCookie({ path, search }: PageRequest): { search: string; cookie: string } | null {
  const choice = chooseLanguage(search)
  if (choice) return choice
  // A GET may do this: another site's link can only make a browser forget a name.
  const rest = isOwnPage(path) ? withoutParameter(search, 'forget') : null
  return rest === null ? null : { search: rest, cookie: rememberedSignInCookie(noRememberedSignIn) }
}

async function needsSignIn({ path, headers }: PageRequest, protectedPaths: readonly string[]): Promise<boolean> {
  if (!protectedPaths.some((page) => path === page || path.startsWith(`${page}/`))) return false
  // Reads the same token as the page: with another, the page and /signin would redirect to each other forever.
  const token = sessionTokenOf(headers)
  return token === null || (await readSessionToken(token)) === null
}

const hasEnding = ({ path, search, headers }: PageRequest) =>
  ['/', '/signin'].includes(path) && readEnding(headers, new URLSearchParams(search).get('next')) !== null
