import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { policyHeader } from '../pages/prepare'
import { longestUserAgent } from '../request/context'
import { commonHeaders, framePolicy, strictPolicy } from '../response/headers'

/** Node's `maxHeadersCount`, which it reaches in silence. */
const maxLines = 1_000

/**
 * Whether Node may have dropped lines of the head, such as those that a proxy writes behind the client's: its address, and the
 * host that forward-auth checks.
 */
export const hasTruncatedHeaders = ({ rawHeaders }: IncomingMessage) => rawHeaders.length >= 2 * maxLines

/**
 * Next takes time that grows with the square of these, mostly outside of any turn: up to 1.5 seconds, in which nobody else is
 * answered, for a head of 16 kB. Browsers send fewer: they keep some 180 cookies of a site. `characters` are those of all
 * cookies times their number, since Next writes all anew for each; `arrays` those of the router state, one or two for each segment
 * of a path.
 */
export const most = { cookies: 200, characters: 1_000_000, parameters: 100, arrays: 99 }

/** Whether Next reads the cookies and parameters of a head in little time. */
export function hasFewParts({ headers: { cookie = '' }, url = '' }: IncomingMessage): boolean {
  const cookies = cookie.split(';').length
  const areFew = cookies <= most.cookies && cookies * cookie.length <= most.characters
  return areFew && url.split('&').length <= most.parameters
}

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

/**
 * Calls a function right before a response's head is sent. `end()` would be too late: Next's compression sends the head before.
 *
 * @param change may set headers, and returns the status to send
 */
export function beforeHead(response: ServerResponse, change: (status: number) => number): void {
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse
  response.writeHead = (status: number, ...rest: unknown[]) => writeHead(change(status), ...rest)
}

/**
 * Next searches this header for bots with a pattern whose time grows with the square of the text (`html-bots.js`): one of 15 kB
 * holds the process for a second. Nothing reads more than the beginning.
 */
export function shortenUserAgent({ headers }: IncomingMessage): void {
  if (headers['user-agent']) headers['user-agent'] = headers['user-agent'].slice(0, longestUserAgent)
}

/**
 * Headers with which a client would have Next do what is not for clients. One of a policy would keep proxy.ts from setting ours.
 * `x-prerender-revalidate` with the preview id of the build, which whoever has the image can read, has a page rendered anew; of a
 * page that is not in its cache, Next renders its 404 page inside itself, without end.
 */
export function dropInternalHeaders({ headers }: IncomingMessage): void {
  delete headers[policyHeader]
  delete headers['x-prerender-revalidate']
}
