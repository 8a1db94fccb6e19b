import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isEndpoint } from '@/lib/api/endpoints'
import { type RequestAttributes, recorder } from '@/lib/process/recorder'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { hiddenHeader, isOwnPage, policyHeader } from '../pages/prepare'
import { longestUserAgent } from '../request/context'
import { decodePath, pathOf } from '../request/head'
import { commonHeaders, framePolicy, strictPolicy } from '../response/headers'

/*
 * What holds for every request and response, under server.ts and where Next serves alone. It knows which headers Next
 * reads, and calls nothing of Next's: where instrumentation.ts loads this file, Next runs already.
 */

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  server: object
}

const onEveryExchange = (listener: (exchange: Exchange) => void) =>
  subscribe('http.server.request.start', (message) => listener(message as Exchange))

/**
 * Sets headers and limits where server.ts does not run. `headers()` of next.config.mjs cannot: Next evaluates it at build time,
 * before APP_ORIGIN is known.
 */
export const secureEveryExchange = () =>
  singleton('secure-every-exchange', () => {
    onEveryExchange(({ request, response }) => {
      if (hasTruncatedHeaders(request) || !hasFewParts(request)) request.socket.destroy()
      dropInternalHeaders(request)
      shortenUserAgent(request)
      setCommonHeaders(response)
    })
    return true
  })

/** Rejects hosts on which `new URL()` throws (RFC 9110 section 7.2). HTTP/1.0 needs no host (RFC 9112 section 3.2). */
export function hasValidHost({ headers: { host }, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion !== '1.1'
  return host === '' || (!/[/?#@\\\s]/.test(host) && URL.canParse(`http://${host}`))
}

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
 * Calls a function right before Node sends a response's head, by its `writeHead`: Node has no event for that moment, and Next sets
 * headers until then. `end()` would be too late: Next's compression sends the head first.
 *
 * @param change may set headers, and returns the status to send
 */
export function beforeHead(response: ServerResponse, change: (status: number) => number): void {
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse
  response.writeHead = (status: number, ...rest: unknown[]) => writeHead(change(status), ...rest)
}

/** Measures all requests from now on. Call it after telemetry has started. */
export const measureRequests = () =>
  singleton('measured-requests', () => {
    const current = recorder()
    if (!current) return false
    onEveryExchange(({ request, response, server }) => {
      if (server === current.metricsServer) return
      const end = current.startRequest(attributesOf(request))
      // 'finish' would miss clients that disconnect.
      response.once('close', () => end(response.headersSent ? response.statusCode : undefined))
    })
    return true
  })

/** https://opentelemetry.io/docs/specs/semconv/registry/attributes/http/ */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])

/** Names known methods and paths only: strangers could invent any number of others, each of which the metrics would keep. */
function attributesOf({ method = '', url = '' }: IncomingMessage): RequestAttributes {
  const path = pathOf(url)
  const route = isEndpoint(path) ? path : decodePath(path)
  return {
    'http.request.method': knownMethods.has(method) ? method : '_OTHER',
    ...(route !== undefined && (isEndpoint(route) || isOwnPage(route)) && { 'http.route': route }),
  }
}
