import { randomUUID } from 'node:crypto'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { authorizationPath, stepUpHeader } from '@/lib/api/names'
import type { RememberedSignIn } from '@/lib/api/site'
import { bearerOf, type RequestContext } from '@/lib/auth/request'
import { clientAddressSeconds } from '@/lib/auth/tokens/claims'
import { issueToken, readToken } from '@/lib/auth/tokens/tokens'
import { wordsIn } from '@/lib/messages/catalogues'
import { isTimeZone } from '@/lib/messages/format/dates'
import { isLocale, type Locale, locales } from '@/lib/messages/locales'
import type { PageLanguage } from '@/lib/messages/page-words'
import { log } from '@/lib/process/log'
import { ownServerRuns } from '@/lib/process/own-server'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
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

/* What a proxy says of the request that it passes on: the client's address, the protocol, and which app's page is asked for. */

/** True if X-Forwarded-For is reliable: server.ts appends the socket's address to it, and Vercel overwrites it. */
const isAddressKnown = () => ownServerRuns() || settings().onVercel

/** Called at startup. */
export function warnOfUnknownAddresses(): void {
  if (!isAddressKnown())
    log().warn('no client address is known here: all requests share the rate limits of one address')
}

/**
 * The client's IPv4 address, IPv6 /64 (providers assign at least that much), or `unknown`. Takes the entry of X-Forwarded-For
 * that stands TRUSTED_PROXIES places from the right: clients can forge those further left.
 */
export function clientAddress(headers: ReadableHeaders): string {
  if (!isAddressKnown()) return 'unknown'
  // Counts every entry: if it dropped those that are no address, a forged one would move into place.
  const entry = (headers.get('X-Forwarded-For') ?? '').split(',').at(-1 - settings().trustedProxies)
  return parseAddress(entry?.trim() ?? '') ?? 'unknown'
}

/** Removes the port that some proxies include: 1.2.3.4:5678, [2001:db8::1]:5678. */
const withoutPort = (text: string) => text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')

function parseAddress(entry: string): string | null {
  const text = withoutPort(entry)
  // Not ipaddr.js's own check, which throws and catches an error for each address of IPv6.
  if (isIPv4(text)) return text
  if (!ipaddr.IPv6.isValid(text)) return null
  const address = ipaddr.IPv6.parse(text)
  // A dual-stack socket reports ::ffff:1.2.3.4.
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Reads the trusted proxy's entry: proxies append theirs to the right of what a client wrote, as in X-Forwarded-For. */
export function cameByHttp(headers: ReadableHeaders): boolean {
  const { trustedProxies } = settings()
  if (trustedProxies === 0) return false
  const entries = (headers.get('X-Forwarded-Proto') ?? '').split(',')
  return (entries.at(-trustedProxies) ?? entries[0])?.trim().toLowerCase() === 'http'
}

/**
 * The host of the request that a reverse proxy wants forward-auth to check. Without X-Forwarded-Uri, an X-Forwarded-Host that
 * equals Host names no app: it is Next's own copy of Host.
 */
export function proxiedHost(headers: ReadableHeaders): string | null {
  const host = headers.get('X-Forwarded-Host')
  return headers.get('X-Forwarded-Uri') !== null || host !== headers.get('Host') ? host : null
}

/* A front end signs the address for its backend, whose connections all come from the front end. */

const header = 'Latchkey-Client-Address'

/** Signs the client's address for the backend, on a front end. If it is unknown, the backend takes the connection's. */
export async function signClientAddress(from: Headers, to: Headers): Promise<void> {
  const address = clientAddress(from)
  if (address === 'unknown') return
  const { token } = await issueToken('client-address', { address }, clientAddressSeconds)
  to.set(header, token)
}

export const hasSignedAddress = (headers: ReadableHeaders) => headers.get(header) !== null

/** Reads the signed address, on a backend. Trusts it: whoever holds the secret could impersonate anyone anyway. */
export async function verifyClientAddress(headers: Headers): Promise<string | null> {
  const token = headers.get(header)
  if (token === null) return null
  const claims = await readToken('client-address', token)
  if (!claims) singleton('client-address-warning', warn)
  return claims?.address ?? null
}

const warn = () =>
  log().warn(
    `ignored a ${header} that does not verify: the front end has another JWT_SECRET, the clocks differ, or the header is forged`,
  )
