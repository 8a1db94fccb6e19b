import type { IncomingMessage, ServerResponse } from 'node:http'

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown
