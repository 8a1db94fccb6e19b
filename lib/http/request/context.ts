import { randomUUID } from 'node:crypto'
import { stepUpHeader } from '@/lib/api/names'
import type { RememberedSignIn } from '@/lib/api/site'
import { bearerOf, type RequestContext } from '@/lib/auth/request'
import { clientAddress, hasSignedAddress, verifyClientAddress } from './addresses'
import { readCookie } from './cookies'
import type { ReadableHeaders } from './head'
import { localeOf } from './language'

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
