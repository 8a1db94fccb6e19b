import type { IncomingHttpHeaders } from 'node:http'

/** Headers to read, whether a Request's or Node's. */
export type ReadableHeaders = Pick<Headers, 'get'>

/** Without the cost of a `Headers`. */
export const nodeHeaders = (headers: IncomingHttpHeaders): ReadableHeaders => ({
  get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
})
