import { subscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { CompleteResponse } from '../response'
import { commonHeaders } from '../security-headers'

/** Sets the common headers before anything handles the request, so that no file, redirect or error of Next goes without. */
export function setCommonHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(commonHeaders(settings().secureCookies))) response.setHeader(name, value)
}

/**
 * Adds the common headers to an endpoint's response. Setting them on Node's response would not do: Node 20 keeps only the
 * last Set-Cookie of a list that is given to writeHead() after setHeader().
 */
export function withCommonHeaders(response: Response): Response {
  if (response instanceof CompleteResponse) return response
  for (const [name, value] of Object.entries(commonHeaders(settings().secureCookies))) {
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}

/**
 * Sets the common headers on every response of a server that is not ours, such as Next's own. Its `headers()` cannot do
 * it alone: APP_ORIGIN is not known when it builds.
 */
export const secureEveryResponse = () =>
  singleton('secure-every-response', () => {
    subscribe('http.server.request.start', (message) => {
      setCommonHeaders((message as { response: ServerResponse }).response)
    })
    return true
  })
