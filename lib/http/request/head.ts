import type { IncomingHttpHeaders } from 'node:http'

/** Headers to read, whether a Request's or Node's. */
export type ReadableHeaders = Pick<Headers, 'get'>

/** Reads Node's headers directly, which saves the cost of a `Headers`. */
export const nodeHeaders = (headers: IncomingHttpHeaders): ReadableHeaders => ({
  get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
})

/** Copies Node's headers, for functions that also list them. */
export const allHeaders = ({ headers }: { headers: IncomingHttpHeaders }): Headers =>
  new Headers(Object.entries(headers).map(([name, value]) => [name, value?.toString() ?? '']))

/**
 * The longest path with query that we send a browser to. Node reads a head of 16 KiB and answers a longer one with a bare 431;
 * cookies and the browser's own headers need the rest.
 */
export const longestTarget = 12 * 1024

/* These read a URL as text: the client wrote its host, and `new URL()` throws on many hosts. */

/** Takes the path of an absolute or origin-form target, still percent-encoded. */
export const pathOf = (url: string) => /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] || '/'

/** Takes the query with its question mark; empty without one. */
export const searchOf = (url: string) => /\?[^#]*/.exec(url)?.[0] ?? ''

/** Decodes a path; undefined for what is not percent-encoded UTF-8. */
export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Removes a parameter; null if the query does not have it. */
export function withoutParameter(search: string, name: string): string | null {
  const parameters = new URLSearchParams(search)
  if (!parameters.has(name)) return null
  parameters.delete(name)
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** Turns the absolute form of a target (RFC 9112 section 3.2.2) into a path; others, such as `*`, get 404. */
export function originForm(target = '/'): string {
  if (target.startsWith('/')) return target
  const { pathname, search } = URL.canParse(target) ? new URL(target) : { pathname: '/*', search: '' }
  // A scheme that `new URL()` does not know may leave the path empty (RFC 9112 section 3.2.1).
  return (pathname || '/') + search
}
