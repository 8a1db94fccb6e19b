import { ApiError } from '@/lib/api/errors'
import { administrators } from '@/lib/api/names'
import { type Database, database, type Statement, transaction } from '@/lib/database/client'
import { isConflict, isGone } from '@/lib/database/errors'
import { type Fragment, failIf, sql, statement } from '@/lib/database/sql'
import { isActiveAdministrator, lockExistingUser, lockGroup, type UserWithEpoch } from '../account'
import type { PrivilegedWriter, Writer } from '../sessions/write'
import type { Operator } from './operator'

/* Whose account an operator may change, and what no change may leave behind. */

/** Finds the account that an operator names. @throws ApiError not_found, or not_allowed for a key and an administrator */
export async function findTarget(operator: Operator, { id }: { id: string }): Promise<UserWithEpoch> {
  const db = await database()
  const memberships = { where: { groupName: administrators }, select: { groupName: true } } as const
  const found = await db.user.findUnique({ where: { id }, include: { memberships } })
  if (!found) throw new ApiError('not_found')
  if (operator.kind === 'key' && found.memberships.length > 0) throw new ApiError('not_allowed')
  return found
}

/** Finds the accounts of these ids. @throws ApiError not_found if one is not there */
export async function findTargets(ids: readonly string[]): Promise<{ id: string }[]> {
  const db = await database()
  const wanted = [...new Set(ids)]
  const found = await db.user.findMany({ where: { id: { in: wanted } }, select: { id: true } })
  if (found.length < wanted.length) throw new ApiError('not_found')
  return wanted.map((id) => ({ id }))
}

interface Reducing {
  /** A condition on "User" as `u`: who stops being an administrator by this change */
  ends?: Fragment
  /** A passkey that is removed */
  passkey?: string
}

/**
 * Locks the account's row first: a session's writes wait, and then see these.
 *
 * @param reducing set if the change could remove the last administrator
 * @throws ApiError not_found, not_allowed for a key and an administrator, last_administrator
 */
export const asOperator = (operator: Operator, userId: string, reducing?: Reducing) => {
  const write: Writer = async (statements) => {
    const db = await database()
    const guards = [
      ...(reducing ? keepAnAdministrator(db, reducing) : []),
      lockExistingUser(db, { id: userId }),
      // Behind the lock, since the account may have joined the administrators meanwhile.
      ...(operator.kind === 'key' ? [db.user.findFirstOrThrow(ofNoAdministrator(userId))] : []),
    ]
    return transaction(db, statements(db), guards).catch(async (cause: unknown) => {
      if (reducing && isConflict(cause) && !isConflict(cause, 'Identifier'))
        throw new ApiError('last_administrator', { cause })
      if (!isGone(cause)) throw cause
      const stays =
        operator.kind === 'key' && (await db.user.findUnique({ where: { id: userId }, select: { id: true } }))
      throw new ApiError(stays ? 'not_allowed' : 'not_found', { cause })
    })
  }
  return write as PrivilegedWriter
}

const ofNoAdministrator = (id: string) => ({
  where: { id, memberships: { none: { groupName: administrators } } },
  select: { id: true },
})

/**
 * The first statements of a transaction that may leave no administrator who can sign in: they fail with a conflict if it would. The
 * lock comes first and is the same for all, because two statements that change different accounts do not see each other under
 * READ COMMITTED, and each would leave the other's administrator.
 */
export const keepAnAdministrator = (db: Database, { ends = sql`FALSE`, passkey = '' }: Reducing): Statement[] => [
  lockGroup(db, administrators),
  failIf(
    db,
    sql`
      EXISTS (SELECT 1 FROM "User" u WHERE ${isActiveAdministrator()})
      AND NOT EXISTS (SELECT 1 FROM "User" u WHERE ${isActiveAdministrator(passkey)} AND NOT (${ends}))`,
  ),
]

/**
 * Deletes the invitations and recovery codes that these administrators made, once they lose the right to make them.
 *
 * @param ids values or a SELECT of ids
 */
export const endOfMade = (db: Database, ids: Fragment) => ({
  invitations: statement(db)`DELETE FROM "Invitation" WHERE "madeBy" IN (${ids})`,
  codes: statement(db)`DELETE FROM "RecoveryCode" WHERE "madeBy" IN (${ids})`,
})
