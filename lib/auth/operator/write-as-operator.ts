import { ApiError } from '@/lib/api/errors'
import { database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import { transaction } from '@/lib/database/transaction'
import { lockExistingUser } from '../model/locks'
import type { PrivilegedWriter, Writer } from '../sessions/write-as-session'

/** Locks the account's row first: a session's writes wait, and then see these. @throws ApiError not_found */
export const asOperator = (userId: string) => {
  const write: Writer = async (statements) => {
    const db = await database()
    const guard = lockExistingUser(db, { id: userId })
    return transaction(db, statements(db), [guard]).catch((cause: unknown) => {
      throw isGone(cause) ? new ApiError('not_found', { cause }) : cause
    })
  }
  return write as PrivilegedWriter
}
