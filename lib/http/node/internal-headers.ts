import type { IncomingMessage } from 'node:http'
import { policyHeader } from '../preparation/policy-header'

/**
 * Headers with which a client would have Next do what is not for clients. One of a policy would keep proxy.ts from setting ours.
 * `x-prerender-revalidate` with the preview id of the build, which whoever has the image can read, has a page rendered anew; of a
 * page that is not in its cache, Next renders its 404 page inside itself, without end.
 */
export function dropInternalHeaders({ headers }: IncomingMessage): void {
  delete headers[policyHeader]
  delete headers['x-prerender-revalidate']
}
