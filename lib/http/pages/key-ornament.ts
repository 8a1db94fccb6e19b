import { createHash } from 'node:crypto'

const length = 8

/**
 * The cuts, 0 to 3 deep, of the key drawn for an account. A hash of the id survives a rename and reveals nothing. An
 * ornament, not a proof: one in 65,536 accounts has the same.
 */
export function cutsOfAccount(id: string): readonly number[] {
  return Array.from(createHash('sha256').update(id).digest().subarray(0, length), (byte) => byte & 3)
}
