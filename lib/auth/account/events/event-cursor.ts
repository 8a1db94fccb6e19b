import { createHash } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'

/** `at` in milliseconds since 1970; ids order events of the same time. */
export interface EventPosition {
  at: bigint
  id: string
}

const checkBytes = 6

/** A checksum, not a signature: a forged cursor only leads to other events of the same account. */
const checksum = (text: string) => createHash('sha256').update(text).digest().subarray(0, checkBytes)

export function formatCursor({ at, id }: EventPosition): string {
  const text = `${at}/${id}`
  return Buffer.concat([checksum(text), Buffer.from(text)]).toString('base64url')
}

export function parseCursor(cursor: string): EventPosition {
  const text = Buffer.from(cursor, 'base64url').subarray(checkBytes).toString()
  // An id is base64url; PostgreSQL fails on NUL.
  const [, at, id] = /^(\d{1,16})\/([\w-]{1,64})$/.exec(text) ?? []
  // Decoding skips invalid characters, so different texts could decode to the same position.
  if (at !== undefined && id !== undefined && cursor === formatCursor({ at: BigInt(at), id }))
    return { at: BigInt(at), id }
  throw new ApiError('invalid_request', { fields: { before: { key: 'invalid' } } })
}
