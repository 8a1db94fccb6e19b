import { ApiError } from '@/lib/api/errors'
import { inBatches } from '@/lib/database/batches'
import { type Database, database, type Results, type Statements, transaction } from '@/lib/database/client'
import { isConflict, isMissing } from '@/lib/database/errors'
import { type Fragment, sql, statement } from '@/lib/database/sql'
import { singleton } from '@/lib/process/singleton'
import { KeyedQueue } from '@/lib/process/work'
import { lockExistingUser } from '../account'
import type { Claims } from '../tokens/claims'
import { requireUnconsumed } from '../tokens/tokens'
import { deliverLogouts, enqueueSessionLogouts } from './reached-apps'
import type { StepUp } from './step-up'

/** Runs the writes to one account as one transaction. */
export type Writer = <S extends Statements>(statements: (db: Database) => S) => Promise<Results<S>>

/** Writes without a lock or a check, for statements that may run after the session is over. */
export const unguarded: Writer = async (statements) => {
  const db = await database()
  return transaction(db, statements(db))
}

/**
 * Queues the writes of this process that lock one account. In PostgreSQL they would wait for its row and occupy the connections
 * that everybody needs, and one person can begin hundreds.
 */
export const queuedByAccount = <T>(accountId: string, write: () => Promise<T>): Promise<T> =>
  singleton('account-queue', () => new KeyedQueue<string>()).add(accountId, write)

declare const privileged: unique symbol

/**
 * A writer for changes that a session alone must not make: it comes from a step-up, a challenge that was made for one, or an
 * operator.
 */
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
    const write = () => transaction(db, statements(db), validityGuards(db, claims))
    return queuedByAccount(claims.sub, write).catch((cause: unknown) => {
      // A foreign key's error is not about the session: the account is locked, so another row is gone.
      const over = isMissing(cause) || isConflict(cause, 'ConsumedToken')
      throw over ? new ApiError('not_signed_in', { cause }) : cause
    })
  }

/** Fails the transaction if the session is over: by its epoch, with its passkey, or because somebody consumed its token. */
const validityGuards = (db: Database, { sub, epoch, pk, jti }: Claims<'session'>) => [
  lockExistingUser(db, { id: sub, sessionEpoch: epoch }),
  ...(pk === undefined ? [] : [db.passkey.findUniqueOrThrow({ where: { id: pk, userId: sub }, select: { id: true } })]),
  ...requireUnconsumed(db, jti),
]

type Logouts = ReturnType<typeof enqueueSessionLogouts>

/** The caller's statements, under other names than those of the logouts. */
type Own = Statements & { [K in keyof Logouts]?: never }

/**
 * Runs writes that end sessions. The logouts of apps come last, for delivery after the commit.
 *
 * @param hasEnded a condition for the sessions that can have ended: `hasEndedOfAccount` or `hasEndedOfRoots`
 */
export async function writeWithLogouts<S extends Own>(
  write: Writer,
  hasEnded: Fragment,
  statements: (db: Database) => S,
): Promise<Results<S>> {
  const results = await write((db): Logouts => ({ ...statements(db), ...enqueueSessionLogouts(db, hasEnded) }))
  deliverLogouts(results.logouts)
  return results as Results<Logouts> & Results<S>
}

/*
 * Before an account or an app, we delete the rows that it has piled up, a few at a time: in one statement, by foreign keys,
 * they would hold up everybody on the embedded database, and time out on PostgreSQL.
 */

/** @param codes a condition on "Code" as `c` */
export const deleteCodes = (write: Writer, codes: Fragment) =>
  deleteInBatches(
    write,
    (size) => sql`DELETE FROM "Code" WHERE "id" IN (SELECT c."id" FROM "Code" c WHERE ${codes} LIMIT ${size})`,
  )

/** Deletes an account's reached apps but one for each app, by which the app gets its logout. */
export const deleteReachedApps = (write: Writer, userId: string) =>
  deleteInBatches(
    write,
    (size) => sql`
      DELETE FROM "AppSession" WHERE "rootId" IN (
        SELECT r."rootId" FROM "AppSession" r
        WHERE r."userId" = ${userId} AND r."rootId" NOT IN (
          SELECT MIN(k."rootId") FROM "AppSession" k WHERE k."userId" = ${userId} GROUP BY k."appId")
        LIMIT ${size})`,
  )

/** Batches have a least size, because part of their time does not depend on it: the session's checks and the disk. */
export const deleteInBatches = (write: Writer, deletion: (size: number) => Fragment, pace = { min: 1_000 }) =>
  inBatches(async (size) => {
    const { deleted } = await write((db) => ({ deleted: statement(db)`${deletion(size)}` }))
    return { isLast: deleted < size }
  }, pace)
