import { ApiError } from '@/lib/api/errors'
import { database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import type { Prisma } from '@/lib/database/generated/sqlite/client'
import type { Database } from './accounts'
import type { Claims } from './tokens'

type Results<P> = { [K in keyof P]: Awaited<P[K]> }

/**
 * Runs the privileged writes of a session as one batch that fails as a whole unless the session's epoch is current. Its
 * first statement locks the account's row, so a write that another transaction delays cannot land after "sign out
 * everywhere" has answered.
 *
 * @returns the results of the statements
 * @throws ApiError not_signed_in
 */
export async function writeAsSession<P extends Prisma.PrismaPromise<unknown>[]>(
  { sub, epoch }: Pick<Claims<'session'>, 'sub' | 'epoch'>,
  statements: (db: Database) => [...P],
): Promise<Results<P>> {
  const db = await database()
  const holdEpoch = db.user.update({
    where: { id: sub, sessionEpoch: epoch },
    data: { sessionEpoch: { increment: 0 } },
    select: { id: true },
  })
  const results = await db.$transaction([holdEpoch, ...statements(db)]).catch((cause: unknown) => {
    throw isGone(cause) ? new ApiError('not_signed_in', { cause }) : cause
  })
  return results.slice(1) as unknown as Results<P>
}
