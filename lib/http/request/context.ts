import { randomUUID } from 'node:crypto'
import { authorizationPath, stepUpHeader } from '@/lib/api/names'
import type { RememberedSignIn } from '@/lib/api/site'
import { bearerOf, type RequestContext } from '@/lib/auth/request'
import { wordsIn } from '@/lib/messages/catalogues'
import { isTimeZone } from '@/lib/messages/format/dates'
import { isLocale, type Locale, locales } from '@/lib/messages/locales'
import type { PageLanguage } from '@/lib/messages/page-words'
import { settings } from '@/lib/settings/settings'
import { clientAddress, hasSignedAddress, verifyClientAddress } from './addresses'
import { readCookie } from './cookies'
import type { ReadableHeaders } from './head'

/** What an action gets, with what its caller is identified as. */
export interface Call<B = unknown> {
  readonly body: B
  readonly context: RequestContext
  /** Null unless a page of CLIENT_ORIGINS calls. */
  readonly clientOrigin: string | null
  /** Whether a web page calls, which gets cookies and no tokens. */
  readonly fromPage: boolean
  readonly query: URLSearchParams
  readonly rememberedSignIn: RememberedSignIn
}

/** Longer texts are cut, which bounds the time to parse one. */
export const longestUserAgent = 512

/** Reads a request's context from its headers; with `request`, the context also says whether the client has disconnected. */
export function readRequestContext(
  headers: Headers,
  { request, requestId = randomUUID() }: { request?: Request; requestId?: string } = {},
): RequestContext | Promise<RequestContext> {
  const context = (address: string | null) => new HeaderContext({ headers, request, requestId, address })
  return hasSignedAddress(headers) ? verifyClientAddress(headers).then(context) : context(null)
}

interface ContextParts {
  headers: Headers
  request: Request | undefined
  requestId: string
  /** The one that the front end signed; null for the connection's */
  address: string | null
}

/** Parses each header on demand: parsing all of them takes longer than the rest of a session check. */
class HeaderContext implements RequestContext {
  readonly requestId: string
  readonly #headers: Headers
  readonly #request: Request | undefined
  #address: string | null

  constructor({ headers, request, requestId, address }: ContextParts) {
    this.requestId = requestId
    this.#headers = headers
    this.#request = request
    this.#address = address
  }

  get address() {
    this.#address ??= clientAddress(this.#headers)
    return this.#address
  }

  get session() {
    return sessionTokenOf(this.#headers)
  }

  get device() {
    return readCookie(this.#headers, 'device')
  }

  get recovery() {
    return readCookie(this.#headers, 'recovery')
  }

  get stepUp() {
    return this.#headers.get(stepUpHeader)
  }

  get language() {
    return localeOf(this.#headers)
  }

  get userAgent() {
    return this.#headers.get('User-Agent')?.slice(0, longestUserAgent) ?? null
  }

  /** On demand, since srvx creates a controller and its listener for it. */
  get signal() {
    return this.#request?.signal
  }
}

/** Reads the session token, unverified. A bearer token wins over a cookie (RFC 6750 section 2.1). */
export const sessionTokenOf = (headers: ReadableHeaders) =>
  bearerOf(headers.get('Authorization')) ?? readCookie(headers, 'session')

/* The language of the answer, and what else a page needs to speak to its visitor. */

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

/** Finds the first of our languages that a browser accepts (RFC 9110 section 12.5.4, RFC 4647 section 3.4): `de-AT` finds `de`. */
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
