import type { IncomingMessage } from 'node:http'
import { sizeOfFile } from '../files'
import { decodePath } from '../paths'

/**
 * Drops a range that is not in the file, and every precondition, with its range: Next would answer with 500 what it cannot meet,
 * after it has rendered an error page out of turn. The whole file is right in their place: a server may ignore ranges
 * (RFC 9110 section 14.2), and preconditions protect what is changed, or put together from ranges.
 */
export function dropUnmetConditions({ headers }: IncomingMessage, path: string): void {
  const { range, 'if-match': tag, 'if-unmodified-since': date } = headers
  if (tag !== undefined || date !== undefined) {
    delete headers['if-match']
    delete headers['if-unmodified-since']
    delete headers.range
  } else if (range !== undefined && !isWithin(range, sizeOfFile(decodePath(path) ?? path) ?? 0)) delete headers.range
}

/** Whether it is one range of bytes, and begins in the file. */
function isWithin(range: string, size: number): boolean {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? []
  if (first === '') return Number(last) > 0 && Number(last) <= size
  return Number(first) < size && (last === '' || Number(last) >= Number(first))
}
