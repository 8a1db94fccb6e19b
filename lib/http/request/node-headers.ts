import type { IncomingHttpHeaders } from 'node:http'

/** Node's headers as the functions here read them, without the cost of a `Headers`. */
export const nodeHeaders = (headers: IncomingHttpHeaders): Pick<Headers, 'get'> => ({
  get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
})
