import type { IncomingMessage } from 'node:http'
import { hiddenHeader, policyHeader } from '../pages/prepare'
import { longestUserAgent } from '../request/context'

/*
 * What of a request's head is rejected, cut or dropped before Next reads it. Nothing here reaches into Next, as next.ts does:
 * where instrumentation.ts loads this file, Next runs already.
 */

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

/**
 * Drops the wish for a runtime prefetch, which Next cannot make of our pages: it would log an error. Its client asks for one only
 * where a route opts in.
 */
export function dropRuntimePrefetch({ headers }: IncomingMessage): void {
  if (headers['next-router-prefetch'] === '2') delete headers['next-router-prefetch']
}
