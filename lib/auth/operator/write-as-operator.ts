import { ApiError } from '@/lib/api/errors'
import { database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import type { PrivilegedWriter, Writer } from '../sessions/write-as-session'

/**
 * Runs an operator's writes to an account as one batch, as a session's are. It locks the account's row first, so that
 * the writes of a session wait and then see what it did.
 *
 * @throws ApiError not_found if the account is gone
 */
export const asOperator = (userId: string) => {
  const write: Writer = async (statements) => {
    const db = await database()
    const lock = db.user.update({
      where: { id: userId },
      data: { sessionEpoch: { increment: 0 } },
      select: { id: true },
    })
    const [, ...results] = await db.$transaction([lock, ...statements(db)]).catch((cause: unknown) => {
      throw isGone(cause) ? new ApiError('not_found', { cause }) : cause
    })
    return results as never
  }
  return write as PrivilegedWriter
}
