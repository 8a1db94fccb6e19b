import type { IncomingMessage, ServerResponse } from 'node:http'

/** What answers a request, now or later. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown
