import { ApiError } from '@/lib/api/errors'
import { database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import { lockExistingUser } from '../model/accounts'
import type { PrivilegedWriter, Writer } from '../sessions/write-as-session'

/**
 * Runs an operator's writes as one transaction that locks the account's row first: a session's writes wait and then see them.
 *
 * @throws ApiError not_found if the account is gone
 */
export const asOperator = (userId: string) => {
  const write: Writer = async (statements) => {
    const db = await database()
    const [, ...results] = await db
      .$transaction([lockExistingUser(db, { id: userId }), ...statements(db)])
      .catch((cause: unknown) => {
        throw isGone(cause) ? new ApiError('not_found', { cause }) : cause
      })
    return results as never
  }
  return write as PrivilegedWriter
}
