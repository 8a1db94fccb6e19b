import { randomUUID } from 'node:crypto'
import { recorder } from '@/lib/process/recorder'
import { settings } from '@/lib/settings/settings'

/**
 * `nosniff` keeps browsers from running other types as scripts or styles (Fetch section 3.6), `frame-ancestors` prevents
 * clickjacking (CSP Level 3), HSTS prevents plain http (RFC 6797), without includeSubDomains: other hosts are not ours.
 */
export const commonHeaders = (secure: boolean): Readonly<Record<string, string>> => (secure ? onHttps : onHttp)

/** For JSON, files and redirects, which load and run nothing. */
export const strictHeaders = (secure: boolean) => ({
  ...commonHeaders(secure),
  'Content-Security-Policy': strictPolicy,
  ...ownResource,
})

/** No page of another origin embeds it, whose process could then read it in memory (Fetch section 3.7, Spectre). */
const ownResource = { 'Cross-Origin-Resource-Policy': 'same-origin' }

/** For what may be a fork's page, which may load and run anything. */
export const framePolicy = "frame-ancestors 'none'"
const onHttp = { 'Content-Security-Policy': framePolicy, 'X-Content-Type-Options': 'nosniff' }
const onHttps = { ...onHttp, 'Strict-Transport-Security': 'max-age=63072000' }

/** Loads and runs nothing. */
export const emptyPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'"

export const strictPolicy = `${emptyPolicy}; ${framePolicy}`

/** A page that opened this one, or that it opens, has no hold on its window (HTML section 7.1.3). */
export const ownWindow = { 'Cross-Origin-Opener-Policy': 'same-origin' }

interface PageOptions {
  nonce: string
  secure: boolean
  development: boolean
  imageOrigins?: readonly string[]
}

/** For pages, ours and a fork's. */
export function pageHeaders(options: PageOptions): Record<string, string> {
  return {
    ...commonHeaders(options.secure),
    'Content-Security-Policy': contentSecurityPolicy(options),
    // No path or query: an older URL of the sign-up page may hold an invitation, and proxies log the Referer.
    'Referrer-Policy': 'strict-origin',
    ...ownWindow,
    ...ownResource,
    'Permissions-Policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
  }
}

/** Only scripts with this response's nonce run (CSP Level 3). */
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

/** The id of the request under way, which its trace gets, too. */
export function newRequestId(): string {
  const id = randomUUID()
  recorder()?.nameRequest(id)
  return id
}

/** For every response of the API but those with headers of their own, and for every error that is ours. */
export const apiHeaders = (requestId: string): Header[] => [
  ...(settings().secureCookies ? apiOnHttps : apiOnHttp),
  ['X-Request-Id', requestId],
]

const constantHeaders = (secure: boolean): Header[] => [
  ...Object.entries(strictHeaders(secure)),
  ['Cache-Control', 'no-store'],
]
const apiOnHttps = constantHeaders(true)
const apiOnHttp = constantHeaders(false)

/** Adds them to a response that was made without them. */
export function withApiHeaders(response: Response, requestId: string): Response {
  // A page of ours has its own policy; one of a fork's route may load and run anything.
  const isPage = response.headers.get('Content-Type')?.startsWith('text/html') ?? false
  const policy = response.headers.get('Content-Security-Policy') ?? (isPage ? framePolicy : null)
  for (const [name, value] of apiHeaders(requestId)) response.headers.set(name, value)
  if (policy !== null) response.headers.set('Content-Security-Policy', policy)
  return response
}
