import { randomUUID } from 'node:crypto'
import { recorder } from '@/lib/process/recorder'
import { settings } from '@/lib/settings/settings'
import type { OriginRule } from '../request/caller'

/**
 * The headers of every response. `nosniff` keeps browsers from running other types as scripts or styles (Fetch section 3.6),
 * `frame-ancestors` prevents clickjacking (CSP Level 3), HSTS prevents plain http (RFC 6797); without includeSubDomains,
 * because other hosts of the domain are not ours.
 */
export const commonHeaders = (secure: boolean): Readonly<Record<string, string>> => (secure ? onHttps : onHttp)

/** The headers of JSON, files and redirects, which load and run nothing. */
export const strictHeaders = (secure: boolean): readonly Header[] => (secure ? strictOnHttps : strictOnHttp)

/**
 * Keeps pages of other origins from embedding the response, which their process could read in memory (Fetch section 3.7,
 * Spectre).
 */
const ownResource = { 'Cross-Origin-Resource-Policy': 'same-origin' }

/** The policy of what may be a fork's page, which may load and run anything. */
export const framePolicy = "frame-ancestors 'none'"
const onHttp = { 'Content-Security-Policy': framePolicy, 'X-Content-Type-Options': 'nosniff' }
const onHttps = { ...onHttp, 'Strict-Transport-Security': 'max-age=63072000' }

/** The policy of a document that loads and runs nothing. */
export const emptyPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'"

export const strictPolicy = `${emptyPolicy}; ${framePolicy}`

const strict = (secure: boolean): Header[] =>
  Object.entries({ ...commonHeaders(secure), 'Content-Security-Policy': strictPolicy, ...ownResource })
const strictOnHttps = strict(true)
const strictOnHttp = strict(false)

/** Takes this page's window away from a page that opened it, or that it opens (HTML section 7.1.3). */
export const ownWindow: readonly Header[] = [['Cross-Origin-Opener-Policy', 'same-origin']]

interface PageOptions {
  nonce: string
  secure: boolean
  development: boolean
  imageOrigins?: readonly string[]
}

/** The headers of pages, ours and a fork's. */
export function pageHeaders(options: PageOptions): Record<string, string> {
  return {
    ...commonHeaders(options.secure),
    'Content-Security-Policy': contentSecurityPolicy(options),
    // Sends no path or query: the sign-in page's query holds an app's whole request, and other servers log the Referer.
    'Referrer-Policy': 'strict-origin',
    ...Object.fromEntries(ownWindow),
    ...ownResource,
    'Permissions-Policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
  }
}

/** Lets only scripts with this response's nonce run (CSP Level 3). */
function contentSecurityPolicy({ nonce, development, imageOrigins = [] }: PageOptions): string {
  return [
    "default-src 'self'",
    // React's development build reports errors through eval.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Next's development overlay inserts style elements without the nonce.
    ...(development ? ["style-src-elem 'self' 'unsafe-inline'"] : []),
    "style-src-attr 'none'",
    ["img-src 'self' data:", ...imageOrigins].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    framePolicy,
  ].join('; ')
}

export type Header = [name: string, value: string]

/** Makes an id for the request under way, and gives it to its trace, too. */
export function newRequestId(): string {
  const id = randomUUID()
  recorder()?.nameRequest(id)
  return id
}

/** The headers of the API's responses, unless they have their own, and of every error that is ours. */
export const apiHeaders = (requestId: string): Header[] => [
  ...(settings().secureCookies ? apiOnHttps : apiOnHttp),
  ['X-Request-Id', requestId],
]

const apiOnHttps: Header[] = [...strictOnHttps, ['Cache-Control', 'no-store']]
const apiOnHttp: Header[] = [...strictOnHttp, ['Cache-Control', 'no-store']]

/** The headers of CORS of every response, errors included, by the rule of the endpoint's row. */
export function corsHeaders(rule: OriginRule, clientOrigin: string | null): Header[] {
  if (rule === 'any') return [['Access-Control-Allow-Origin', '*']]
  if (rule !== 'listed') return []
  // `Vary` keeps caches from serving the response to other origins.
  return [['Vary', 'Origin'], ...(clientOrigin === null ? [] : allowing(clientOrigin))]
}

/** Names exactly this origin, as cookies require (Fetch section 3.3). */
const allowing = (origin: string): Header[] => [
  ['Access-Control-Allow-Origin', origin],
  ['Access-Control-Allow-Credentials', 'true'],
]

/** Adds these headers, and those of CORS, to a fork's response. */
export function withApiHeaders(response: Response, requestId: string, cors: readonly Header[]): Response {
  for (const [name, value] of cors) response.headers[name === 'Vary' ? 'append' : 'set'](name, value)
  // A page may load and run anything.
  const isPage = response.headers.get('Content-Type')?.startsWith('text/html') ?? false
  const policy = response.headers.get('Content-Security-Policy') ?? (isPage ? framePolicy : null)
  for (const [name, value] of apiHeaders(requestId)) response.headers.set(name, value)
  if (policy !== null) response.headers.set('Content-Security-Policy', policy)
  return response
}
