import { ApiError } from '@/lib/api/errors'
import { type Database, database } from '@/lib/database/client'
import { isConflict, isMissing } from '@/lib/database/errors'
import type { Prisma } from '@/lib/database/generated/sqlite/client'
import { lockExistingUser } from '../model/accounts'
import type { Claims } from '../tokens/claims'
import type { StepUp } from './step-up'

/** What each statement of a transaction gives. */
export type Results<P> = { [K in keyof P]: Awaited<P[K]> }

/** Runs the writes to one account as one transaction. */
export type Writer = <P extends Prisma.PrismaPromise<unknown>[]>(
  statements: (db: Database) => [...P],
) => Promise<Results<P>>

/** Locks and checks nothing: for what may run after the session is over. */
export const unguarded: Writer = async (statements) => {
  const db = await database()
  return (await db.$transaction([...statements(db)])) as never
}

declare const privileged: unique symbol

/** May also write what a session alone must not: made from a step-up or for an operator. */
export type PrivilegedWriter = Writer & { readonly [privileged]: true }

export const asStepUp = ({ session }: StepUp) => asSession(session.claims) as PrivilegedWriter

/**
 * Runs the writes as one transaction that fails as a whole unless the session is still valid. Its first statement locks the
 * account's row, so that a delayed write cannot land after "sign out everywhere" has answered.
 */
export const asSession =
  (claims: Claims<'session'>): Writer =>
  async (statements) => {
    const db = await database()
    const guards = validityGuards(db, claims)
    const results = await db.$transaction([...guards, ...statements(db)]).catch((cause: unknown) => {
      // A foreign key says nothing of the session: the account is locked, so another row is gone.
      const over = isMissing(cause) || isConflict(cause, 'ConsumedToken')
      throw over ? new ApiError('not_signed_in', { cause }) : cause
    })
    return results.slice(guards.length) as never
  }

/** Fail if the session is over: by its epoch, with its passkey, or because its token was consumed. */
const validityGuards = (db: Database, { sub, epoch, pk, jti }: Claims<'session'>) => [
  lockExistingUser(db, { id: sub, sessionEpoch: epoch }),
  ...(pk === undefined ? [] : [db.passkey.findUniqueOrThrow({ where: { id: pk, userId: sub }, select: { id: true } })]),
  // The primary key makes this fail if the token is consumed, and makes a concurrent consumption wait.
  db.consumedToken.create({ data: { id: jti, expiresAt: 0n } }),
  db.consumedToken.delete({ where: { id: jti } }),
]
