import type { IncomingMessage, ServerResponse } from 'node:http'
import { rejectWith } from './answer-error'

/**
 * Answers 413 to a body of more bytes than this, by its Content-Length or once that many have arrived. What reads the body
 * then never sees its end.
 *
 * @returns whether the request has been answered
 */
export function limitBody(request: IncomingMessage, response: ServerResponse, bytes: number): boolean {
  if (Number(request.headers['content-length']) > bytes) {
    rejectWith('payload_too_large')(request, response)
    return true
  }
  const push = request.push.bind(request)
  let length = 0
  request.push = (chunk: Buffer | null, encoding) => {
    if (length > bytes) return true
    length += chunk?.length ?? 0
    if (length <= bytes) return push(chunk, encoding)
    // The rest is read and dropped: many clients send a whole body before they read the response.
    if (!response.headersSent) rejectWith('payload_too_large')(request, response)
    return true
  }
  return false
}
