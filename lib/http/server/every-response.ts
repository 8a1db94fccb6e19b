import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { hiddenHeader } from '../pages/prepare'
import { commonHeaders, framePolicy, strictPolicy } from '../response/headers'
import { dropInternalHeaders, hasFewParts, hasTruncatedHeaders, shortenUserAgent } from './heads'

/** Sets the headers before Next handles the request, so that each of its files, redirects and errors has them. */
export function setCommonHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(commonHeaders(settings().secureCookies))) response.setHeader(name, value)
  beforeHead(response, (status) => {
    // Next tells its client of a rewrite, which would tell a hidden page from an unknown one.
    if (hiddenHeader in response.req.headers) for (const name of rewriteHeaders) response.removeHeader(name)
    if (isRedirect(status) && !response.hasHeader('Content-Type')) declareText(response)
    return status
  })
}

const rewriteHeaders = ['x-nextjs-rewritten-path', 'x-nextjs-rewritten-query']

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304

/** Declares the type of Next's redirects, which have a body (RFC 9110 section 8.3), and the policy for what is no page. */
function declareText(response: ServerResponse): void {
  response.setHeader('Content-Type', 'text/plain; charset=utf-8')
  if (response.getHeader('Content-Security-Policy') === framePolicy)
    response.setHeader('Content-Security-Policy', strictPolicy)
}

/**
 * Sets headers and limits where server.ts does not run. `headers()` of next.config.mjs cannot: Next evaluates it at build time,
 * before APP_ORIGIN is known.
 */
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

/**
 * Calls a function right before Node sends a response's head, by its `writeHead`: Node has no event for that moment, and Next sets
 * headers until then. `end()` would be too late: Next's compression sends the head first.
 *
 * @param change may set headers, and returns the status to send
 */
export function beforeHead(response: ServerResponse, change: (status: number) => number): void {
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse
  response.writeHead = (status: number, ...rest: unknown[]) => writeHead(change(status), ...rest)
}
