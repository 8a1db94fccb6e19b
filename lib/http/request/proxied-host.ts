import type { ReadableHeaders } from './node-headers'

/**
 * The host of the request that a reverse proxy has forward-auth check. An X-Forwarded-Host that equals Host, without
 * X-Forwarded-Uri, is Next's own copy of Host: it names no app.
 */
export function proxiedHost(headers: ReadableHeaders): string | null {
  const host = headers.get('X-Forwarded-Host')
  return headers.get('X-Forwarded-Uri') !== null || host !== headers.get('Host') ? host : null
}
