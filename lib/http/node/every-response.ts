import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { commonHeaders, framePolicy, strictPolicy } from '../response/security-headers'
import { beforeHead } from './before-head'
import { hasFewParts, hasTruncatedHeaders } from './bounded-heads'
import { dropInternalHeaders, shortenUserAgent } from './internal-headers'

/** Before Next handles the request, so that each of its files, redirects and errors has them. */
export function setCommonHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(commonHeaders(settings().secureCookies))) response.setHeader(name, value)
  typeRedirect(response)
}

/** Next's redirects have a body without a type (RFC 9110 section 8.3). */
const typeRedirect = (response: ServerResponse) =>
  beforeHead(response, (status) => {
    const isRedirect = status >= 300 && status < 400 && status !== 304
    if (isRedirect && !response.hasHeader('Content-Type')) {
      response.setHeader('Content-Type', 'text/plain; charset=utf-8')
      if (response.getHeader('Content-Security-Policy') === framePolicy)
        response.setHeader('Content-Security-Policy', strictPolicy)
    }
    return status
  })

/** Where server.ts does not run. Next evaluates `headers()` of next.config.mjs at build time, when APP_ORIGIN is not known. */
export const secureEveryExchange = () =>
  singleton('secure-every-exchange', () => {
    subscribe('http.server.request.start', (message) => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
      if (hasTruncatedHeaders(request) || !hasFewParts(request)) request.socket.destroy()
      dropInternalHeaders(request)
      shortenUserAgent(request)
      setCommonHeaders(response)
    })
    return true
  })
