import type { IncomingMessage } from 'node:http'
import { longestUserAgent } from '../context/request-context'
import { policyHeader } from '../preparation/policy-header'

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
