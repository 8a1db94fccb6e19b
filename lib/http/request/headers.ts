import type { IncomingHttpHeaders } from 'node:http'

/** Headers to read, whether a Request's or Node's. */
export type ReadableHeaders = Pick<Headers, 'get'>

/** Without the cost of a `Headers`. */
export const nodeHeaders = (headers: IncomingHttpHeaders): ReadableHeaders => ({
  get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
})

/**
 * The host of the request that a reverse proxy has forward-auth check. An X-Forwarded-Host that equals Host, without
 * X-Forwarded-Uri, is Next's own copy of Host: it names no app.
 */
export function proxiedHost(headers: ReadableHeaders): string | null {
  const host = headers.get('X-Forwarded-Host')
  return headers.get('X-Forwarded-Uri') !== null || host !== headers.get('Host') ? host : null
}

/**
 * Of a path and its query that we send a browser to. Node reads a head of 16 KiB, and answers a longer one without a word; the
 * rest is for cookies and what browsers add.
 */
export const longestTarget = 12 * 1024

/* Read as text: the host is what the client wrote, and `new URL()` throws on many. */

/** The path of an absolute or origin-form target, still percent-encoded. */
export const pathOf = (url: string) => /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] || '/'

/** With the question mark; empty without a query. */
export const searchOf = (url: string) => /\?[^#]*/.exec(url)?.[0] ?? ''

/** A search without a parameter; null if it does not have it. */
export function withoutParameter(search: string, name: string): string | null {
  const parameters = new URLSearchParams(search)
  if (!parameters.has(name)) return null
  parameters.delete(name)
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** Accepts the absolute form of a target (RFC 9112 section 3.2.2); others, such as `*`, are not found. */
export function originForm(target = '/'): string {
  if (target.startsWith('/')) return target
  const { pathname, search } = URL.canParse(target) ? new URL(target) : { pathname: '/*', search: '' }
  // A scheme that `new URL()` does not know may leave the path empty (RFC 9112 section 3.2.1).
  return (pathname || '/') + search
}
