import type { IncomingHttpHeaders } from 'node:http'

/** What is read of headers, of a Request or of Node. */
export type ReadableHeaders = Pick<Headers, 'get'>

/** Without the cost of a `Headers`. */
export const nodeHeaders = (headers: IncomingHttpHeaders): ReadableHeaders => ({
  get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
})
