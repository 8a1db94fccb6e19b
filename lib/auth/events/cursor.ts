import { createHash } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import type { SqlInteger } from '@/lib/database/sql'

/** `at` in milliseconds since 1970; ids order rows of the same time. */
export interface Position {
  at: bigint
  id: string
}

const beforeAll: Position = { at: BigInt(Number.MAX_SAFE_INTEGER), id: '' }

const checkBytes = 6

/** Computes a checksum, not a signature: a forged cursor only leads to other rows that its sender may read. */
const checksum = (text: string) => createHash('sha256').update(text).digest().subarray(0, checkBytes)

/** @param scope what else was asked for, in the checksum, so that a cursor leads on in its own list only */
export function formatCursor({ at, id }: Position, scope = ''): string {
  const text = `${at}/${id}`
  return Buffer.concat([checksum(scope + text), Buffer.from(text)]).toString('base64url')
}

/** Reads a cursor; the first position without one. @throws ApiError invalid_request with the field */
export function parseCursor(cursor: string | undefined, { scope = '', field = 'before' } = {}): Position {
  if (cursor === undefined) return beforeAll
  const text = Buffer.from(cursor, 'base64url').subarray(checkBytes).toString()
  // An id is base64url; PostgreSQL fails on NUL.
  const [, at, id] = /^(\d{1,16})\/([\w-]{1,64})$/.exec(text) ?? []
  // Decoding skips invalid characters, so different texts could decode to the same position.
  if (at !== undefined && id !== undefined && cursor === formatCursor({ at: BigInt(at), id }, scope))
    return { at: BigInt(at), id }
  throw new ApiError('invalid_request', { fields: { [field]: { key: 'invalid' } } })
}

/** Takes the page and the cursor that leads on from rows that were read to `limit + 1`; the cursor is null at the end. */
export function pageOf<Row extends { at: SqlInteger; id: string }>(rows: Row[], limit: number, scope = '') {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { page, next: last ? formatCursor({ at: BigInt(last.at), id: last.id }, scope) : null }
}
