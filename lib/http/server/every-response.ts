import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { hiddenHeader, policyHeader } from '../pages/prepare'
import { longestUserAgent } from '../request/context'
import { commonHeaders, framePolicy, strictPolicy } from '../response/headers'

/** Node's `maxHeadersCount`: it drops further lines in silence. */
const maxLines = 1_000

/**
 * True if Node may have dropped lines of the head. A proxy writes its own behind the client's, such as the address and the host
 * that forward-auth checks, and a client with many lines could get rid of them.
 */
export const hasTruncatedHeaders = ({ rawHeaders }: IncomingMessage) => rawHeaders.length >= 2 * maxLines

/**
 * Limits for the parts of a head. Next takes time that grows with the square of their number, mostly outside of any turn: for a
 * head of 16 kB up to 1.5 seconds, in which nobody else gets an answer. Browsers send fewer: they keep some 180 cookies of a
 * site. `characters` limits the length of all cookies times their number, since Next writes all anew for each; `arrays` limits
 * those of the router state, which has one or two for each segment of a path.
 */
export const most = { cookies: 200, characters: 1_000_000, parameters: 100, arrays: 99 }

/** True if the head has few enough cookies and parameters for Next to read in little time. */
export function hasFewParts({ headers: { cookie = '' }, url = '' }: IncomingMessage): boolean {
  const cookies = cookie.split(';').length
  const areFew = cookies <= most.cookies && cookies * cookie.length <= most.characters
  return areFew && url.split('&').length <= most.parameters
}

/** Sets the headers before Next handles the request, so that each of its files, redirects and errors has them. */
export function setCommonHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(commonHeaders(settings().secureCookies))) response.setHeader(name, value)
  typeRedirect(response)
  beforeHead(response, (status) => {
    // Next tells its client of a rewrite, which would tell a hidden page from an unknown one.
    if (hiddenHeader in response.req.headers) for (const name of rewriteHeaders) response.removeHeader(name)
    return status
  })
}

const rewriteHeaders = ['x-nextjs-rewritten-path', 'x-nextjs-rewritten-query']

/** Gives Next's redirects a type, because they have a body (RFC 9110 section 8.3). */
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

/**
 * Cuts User-Agent to the beginning, which is all that we read. Next searches it for bots with a pattern whose time grows with the
 * square of the text (`html-bots.js`): 15 kB would hold the process for a second.
 */
export function shortenUserAgent({ headers }: IncomingMessage): void {
  if (headers['user-agent']) headers['user-agent'] = headers['user-agent'].slice(0, longestUserAgent)
}

/**
 * Drops headers by which a client could control Next. A policy would keep proxy.ts from setting ours. `x-prerender-revalidate`
 * makes Next render a page anew if it has the build's preview id, which anybody can read who has the image; if the page is not in
 * the cache, Next then recurses forever.
 */
export function dropInternalHeaders({ headers }: IncomingMessage): void {
  delete headers[policyHeader]
  delete headers['x-prerender-revalidate']
  delete headers[hiddenHeader]
}
