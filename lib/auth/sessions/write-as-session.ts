import { ApiError } from '@/lib/api/errors'
import { database } from '@/lib/database/client'
import { isConflict, isGone } from '@/lib/database/errors'
import type { Prisma } from '@/lib/database/generated/sqlite/client'
import type { Database } from '../model/accounts'
import type { Claims } from '../tokens/tokens'
import type { StepUp } from './step-up'

type Results<P> = { [K in keyof P]: Awaited<P[K]> }

/** Runs the writes to one account as one batch behind its row's lock, for whoever may: a session or an operator. */
export type Writer = <P extends Prisma.PrismaPromise<unknown>[]>(
  statements: (db: Database) => [...P],
) => Promise<Results<P>>

declare const privileged: unique symbol

/** A writer that may also write what a session alone must not: that of a step-up or an operator. */
export type PrivilegedWriter = Writer & { readonly [privileged]: true }

/** @throws ApiError not_signed_in, as `writeAsSession` */
export const asStepUp = ({ session }: StepUp) => asSession(session.claims) as PrivilegedWriter

/** @throws ApiError not_signed_in, as `writeAsSession` */
export const asSession =
  (claims: Claims<'session'>): Writer =>
  (statements) =>
    writeAsSession(claims, statements)

/**
 * Runs the writes of a session as one batch that fails as a whole unless the session is still valid. Its first
 * statement locks the account's row, so a write that another transaction delays cannot land after "sign out everywhere"
 * has answered.
 *
 * @returns the results of the statements
 * @throws ApiError not_signed_in
 */
export async function writeAsSession<P extends Prisma.PrismaPromise<unknown>[]>(
  claims: Claims<'session'>,
  statements: (db: Database) => [...P],
): Promise<Results<P>> {
  const db = await database()
  const guards = validityGuards(db, claims)
  const results = await db.$transaction([...guards, ...statements(db)]).catch((cause: unknown) => {
    const over = isGone(cause) || isConflict(cause, 'ConsumedToken')
    throw over ? new ApiError('not_signed_in', { cause }) : cause
  })
  return results.slice(guards.length) as unknown as Results<P>
}

/** Statements that fail if the session is over: by its epoch, with its passkey, or because its token was consumed. */
const validityGuards = (db: Database, { sub, epoch, pk, jti }: Claims<'session'>) => [
  db.user.update({
    where: { id: sub, sessionEpoch: epoch },
    data: { sessionEpoch: { increment: 0 } },
    select: { id: true },
  }),
  ...(pk === undefined ? [] : [db.passkey.findUniqueOrThrow({ where: { id: pk, userId: sub }, select: { id: true } })]),
  // The primary key makes this fail if the token is consumed, and makes a concurrent consumption wait.
  db.consumedToken.create({ data: { id: jti, expiresAt: 0n } }),
  db.consumedToken.delete({ where: { id: jti } }),
]
