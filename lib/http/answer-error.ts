import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ErrorCode, errorStatus } from '@/lib/api/errors'
import { errorSentences } from '@/lib/messages/en'
import { methodsOf } from './methods'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** 405 to a method that goes no further. */
export const rejectMethod: Listener = ({ url = '' }, response) => {
  const [path = ''] = url.split('?', 1)
  response.setHeader('Allow', methodsOf(path).join(', '))
  answerError(response, 'method_not_allowed')
}

/** 400 to a request of HTTP/1.1 without a Host (RFC 9112 section 3.2). */
export const rejectMissingHost: Listener = (_request, response) => answerError(response, 'invalid_request')

/** Writes to Node's response, for what cannot become a `Request`: its constructor throws for TRACE. */
function answerError(response: ServerResponse, code: ErrorCode) {
  response.writeHead(errorStatus[code], {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-Id': randomUUID(),
  })
  response.end(JSON.stringify({ error: errorSentences[code], code }))
}
