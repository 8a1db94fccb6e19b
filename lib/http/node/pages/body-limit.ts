import type { IncomingMessage, ServerResponse } from 'node:http'
import { rejectWith } from '../reject'

/** Responds 413 to a longer body, at once by Content-Length (returns true) or later; the body's reader sees no end. */
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
