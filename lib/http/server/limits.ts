import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodePath } from '../request/target'
import { hasFewParts, most } from './heads'
import { rejectWith } from './listeners'
import { isRouterState } from './next'
import { sizeOfFile } from './paths'

/*
 * What pages.ts keeps from Next, which would fail on it or take too long.
 */

/**
 * Responds 413 to a body longer than `bytes`: at once if its Content-Length says so, else as soon as it is. Whoever reads the
 * body then waits forever.
 *
 * @returns true if it has responded
 */
export function limitBody(request: IncomingMessage, response: ServerResponse, bytes: number): boolean {
  if (Number(request.headers['content-length']) > bytes) {
    rejectWith('payload_too_large')(request, response)
    return true
  }
  // Between Node's parser and every reader: Next's router reads the request itself, so a stream piped in between would not
  // reach it, and a listener for `data` would begin to read before Next does.
  const push = request.push.bind(request)
  let length = 0
  request.push = (chunk: Buffer | null, encoding) => {
    if (length > bytes) return true
    length += chunk?.length ?? 0
    if (length <= bytes) return push(chunk, encoding)
    // Reads and drops the rest: many clients send the whole body before they read the response.
    if (!response.headersSent) rejectWith('payload_too_large')(request, response)
    return true
  }
  return false
}

/**
 * Responds 400 to a head that takes Next long to read, or that it fails on with 500.
 *
 * @returns true if it has responded
 */
export function limitHead(request: IncomingMessage, response: ServerResponse): boolean {
  const { 'next-router-state-tree': state } = request.headers
  if (hasFewParts(request) && (state === undefined || isReadable(state.toString()))) return false
  rejectWith('invalid_request')(request, response)
  return true
}

/** @param state percent-encoded */
const isReadable = (state: string) => state.split(/\[|%5b/i).length - 1 <= most.arrays && isRouterState(state)

/**
 * Drops a range that is not in the file, and every precondition together with its range, so that the client gets the whole file.
 * Next would answer 500 where it cannot meet them, after rendering an error page out of turn. A server may ignore ranges (RFC
 * 9110 section 14.2), and preconditions only protect changes, and files put together from ranges.
 */
export function dropUnmetConditions({ headers }: IncomingMessage, path: string): void {
  const { range, 'if-match': tag, 'if-unmodified-since': date } = headers
  if (tag !== undefined || date !== undefined) {
    delete headers['if-match']
    delete headers['if-unmodified-since']
    delete headers.range
  } else if (range !== undefined && !isWithin(range, sizeOfFile(decodePath(path) ?? path) ?? 0)) delete headers.range
}

/** True for one range of bytes that begins in the file. */
function isWithin(range: string, size: number): boolean {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? []
  if (first === '') return Number(last) > 0 && Number(last) <= size
  return Number(first) < size && (last === '' || Number(last) >= Number(first))
}
