import { subscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { CompleteResponse } from '../response'
import { commonHeaders } from '../security-headers'

/** Called before anything handles the request, so that every file, redirect and error of Next has them. */
export function setCommonHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(commonHeaders(settings().secureCookies))) response.setHeader(name, value)
}

/** Not on Node's response: given a list after setHeader(), writeHead() of Node 20 keeps only its last Set-Cookie. */
export function withCommonHeaders(response: Response): Response {
  if (response instanceof CompleteResponse) return response
  for (const [name, value] of Object.entries(commonHeaders(settings().secureCookies))) {
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}

/** For servers that are not ours, such as Next's own: its `headers()` runs at build time, without APP_ORIGIN. */
export const secureEveryResponse = () =>
  singleton('secure-every-response', () => {
    subscribe('http.server.request.start', (message) => {
      setCommonHeaders((message as { response: ServerResponse }).response)
    })
    return true
  })
