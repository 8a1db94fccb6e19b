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
 * The host of the request that a reverse proxy wants forward-auth to check. Without X-Forwarded-Uri, an X-Forwarded-Host that
 * equals Host names no app: it is Next's own copy of Host.
 */
export function proxiedHost(headers: ReadableHeaders): string | null {
  const host = headers.get('X-Forwarded-Host')
  return headers.get('X-Forwarded-Uri') !== null || host !== headers.get('Host') ? host : null
}
