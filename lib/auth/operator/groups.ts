import type * as z from 'zod'
import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import { administrators } from '@/lib/api/names'
import type { groupMembers } from '@/lib/api/schemas'
import { inParts } from '@/lib/database/batches'
import { type Database, database, transaction } from '@/lib/database/client'
import { isConflict, isGone } from '@/lib/database/errors'
import { type Fragment, failIf, list, sql, statement } from '@/lib/database/sql'
import { jsonArray } from '@/lib/delivery/outbox'
import { groupCreation, isGroupName, lockGroup, lockUsers, type UserRow } from '../account'
import { writeToAdministrators } from '../events/letters'
import { byOperator, logChange, recordChange, writeLine } from '../events/operators-log'
import { announce } from '../events/webhooks'
import { endExcluded } from '../sessions/app-rules'
import { endOfRecoveries, recordStop } from '../sessions/end'
import { enqueueSessionLogouts, hasEndedOfAccounts } from '../sessions/reached-apps'
import { endOfMade, keepAnAdministrator } from './guards'
import { endOfKeys } from './keys'
import type { Operator } from './operator'

export type GroupMembers = z.infer<typeof groupMembers>

export async function listGroups(): Promise<{ name: string; members: number }[]> {
  const db = await database()
  const select = { name: true, _count: { select: { memberships: true } } } as const
  const rows = await db.group.findMany({ select, orderBy: { name: 'asc' } })
  return rows.map(({ name, _count }) => ({ name, members: _count.memberships }))
}

/** @throws ApiError not_found */
export async function showGroup(name: string): Promise<GroupMembers> {
  const db = await database()
  const select = { memberships: { select: { user: { select: { username: true } } } } } as const
  const row = await db.group.findUnique({ where: { name }, select })
  if (!row) throw new ApiError('not_found')
  return { group: name, members: row.memberships.map(({ user }) => user.username).sort() }
}

/** Makes the group if there is none. @throws ApiError invalid_request; not_found if an account is deleted meanwhile */
export async function addToGroup(operator: Operator, name: string, accounts: Member[]): Promise<void> {
  requireMayChange(operator, name)
  if (!isGroupName(name))
    throw new ApiError('invalid_request', { fields: { group: { key: 'group_format', max: limits.groupName } } })
  const db = await database()
  const ids = idsOf(accounts)
  const isOfAdministrators = name === administrators
  // Nobody becomes an administrator by a letter: the passkey alone opens the administration.
  const recoveries = isOfAdministrators ? accounts.map(({ id }) => endOfRecoveries(db, sql`${id}`)) : []
  const writing = transaction(db, {
    // Counts 1 if the group is new, which the next statement cannot tell.
    added: statement(db)`INSERT INTO "Group" ("name") VALUES (${name}) ON CONFLICT DO NOTHING`,
    // Locks an existing group, so that PostgreSQL does not delete it before the memberships refer to it.
    creation: groupCreation(db, name),
    lock: lockUsers(db, ids),
    announcement: announceGroups(db, ids, sql`NOT ${isMember(name)}`, groupsWith(name)),
    ...(isOfAdministrators && entranceOfAdministrators(db, ids)),
    joined: accounts.map(
      ({ id }) => statement(db)`
        INSERT INTO "Membership" ("userId", "groupName") VALUES (${id}, ${name}) ON CONFLICT DO NOTHING`,
    ),
    stopped: recoveries.map(({ stopped }) => stopped),
    unpressed: recoveries.map(({ unpressed }) => unpressed),
  })
  const results = await writing.catch((cause: unknown) => {
    if (isConflict(cause)) throw new ApiError('passkey_required', { cause })
    throw isGone(cause) ? new ApiError('not_found', { cause }) : cause
  })
  if (results.added === 1) await logChange(operator, 'group_added', { group: name })
  await recordChanges(operator, name, accounts, results.joined, 'joined')
  for (const [index, count] of results.stopped.entries())
    await recordStop(count, accounts[index]?.id ?? '', operator.context, byOperator(operator))
}

/**
 * Whoever can join opens the administration with a passkey alone: the first statement fails with a conflict if somebody cannot. The
 * others end the sessions of those who join, because somebody else may have opened one with less.
 */
function entranceOfAdministrators(db: Database, ids: Fragment) {
  const joins = sql`u."id" IN (${ids}) AND NOT ${isMember(administrators)}`
  return {
    qualification: failIf(
      db,
      sql`EXISTS (SELECT 1 FROM "User" u WHERE ${joins} AND (u."disabled" OR NOT EXISTS (
        SELECT 1 FROM "Passkey" p WHERE p."userId" = u."id" AND p."userVerified")))`,
    ),
    ended: statement(db)`UPDATE "User" AS u SET "sessionEpoch" = "sessionEpoch" + 1 WHERE ${joins}`,
    ...enqueueSessionLogouts(db, hasEndedOfAccounts(sql`r."userId" IN (${ids})`)),
  }
}

export async function removeFromGroup(operator: Operator, name: string, accounts: Member[]): Promise<void> {
  requireMayChange(operator, name)
  const db = await database()
  const ids = idsOf(accounts)
  const isOfAdministrators = name === administrators
  const guards = isOfAdministrators ? keepAnAdministrator(db, { ends: sql`u."id" IN (${ids})` }) : []
  const leaving = {
    // Of two removals at once the second sees the first, and so announces what is true after both.
    lock: lockUsers(db, ids),
    announcement: announceGroups(db, ids, isMember(name), groupsWithout(name)),
    left: accounts.map(
      ({ id }) => statement(db)`DELETE FROM "Membership" WHERE "userId" = ${id} AND "groupName" = ${name}`,
    ),
    keys: isOfAdministrators ? endOfKeys(db, ids) : undefined,
    ...(isOfAdministrators && endOfMade(db, ids)),
  }
  const results = await transaction(db, leaving, guards).catch(explainLast)
  await endExcluded(sql`g."userId" IN (${ids})`)
  await recordChanges(operator, name, accounts, results.left, 'left')
}

const maxListed = 1_000

/** Deletes a group, which its members leave. @throws ApiError not_found */
export async function deleteGroup(operator: Operator, name: string): Promise<void> {
  requireMayChange(operator, name)
  const db = await database()
  const guards = name === administrators ? keepAnAdministrator(db, { ends: sql`TRUE` }) : []
  const made = name === administrators ? endOfMade(db, membersOf(name)) : {}
  const { members, deleted } = await transaction(db, { ...made, ...groupDeletion(db, name) }, guards).catch(explainLast)
  if (deleted === 0) throw new ApiError('not_found')
  await finishGroupDeletion(operator, name, members)
}

export const groupDeletion = (db: Database, name: string) => ({
  // Locked first, so that nobody joins between the statements that follow.
  lock: lockGroup(db, name),
  users: lockUsers(db, membersOf(name)),
  members: db.membership.findMany({ where: { groupName: name }, select: { userId: true } }),
  announcement: announceGroups(db, membersOf(name), isMember(name), groupsWithout(name)),
  keys: name === administrators ? endOfKeys(db, membersOf(name)) : undefined,
  deleted: statement(db)`DELETE FROM "Group" WHERE "name" = ${name}`,
})

/** Does what follows once a group is deleted. @param members those that it had */
export async function finishGroupDeletion(
  operator: Operator,
  name: string,
  members: { userId: string }[],
): Promise<void> {
  for (const part of inParts(members, maxListed))
    await endExcluded(sql`g."userId" IN (${list(part.map(({ userId }) => userId))})`)
  await logChange(operator, 'group_deleted', { group: name, count: members.length })
  for (const { userId } of members) await recordMembership(operator, { account: userId, group: name }, 'left')
}

function explainLast(cause: unknown): never {
  throw isConflict(cause) ? new ApiError('last_administrator', { cause }) : cause
}

async function recordChanges(
  operator: Operator,
  group: string,
  accounts: Member[],
  counts: number[],
  change: MembershipChange,
): Promise<void> {
  for (const [index, { id: account }] of accounts.entries())
    if (counts[index] === 1) await recordMembership(operator, { account, group }, change)
}

type MembershipChange = 'joined' | 'left'

async function recordMembership(
  operator: Operator,
  about: { account: string; group: string },
  change: MembershipChange,
): Promise<void> {
  if (about.group !== administrators) return recordChange(operator, 'groups_changed', about, `group_${change}`)
  const event = change === 'joined' ? 'administrator_added' : 'administrator_removed'
  await recordChange(operator, 'groups_changed', about, event)
  writeLine(operator, event, about)
  if (event === 'administrator_added') await writeToAdministrators(event, operator.context, { account: about.account })
}

/** Keys change neither the administrators nor who they are. */
const requireMayChange = (operator: Operator, name: string): void => {
  if (operator.kind === 'key' && name === administrators) throw new ApiError('not_allowed')
}

type Member = Pick<UserRow, 'id'>

const idsOf = (accounts: Member[]): Fragment => list(accounts.map(({ id }) => id))

const membersOf = (name: string): Fragment => sql`SELECT m."userId" FROM "Membership" m WHERE m."groupName" = ${name}`

const isMember = (name: string): Fragment => sql`
  EXISTS (SELECT 1 FROM "Membership" b WHERE b."userId" = u."id" AND b."groupName" = ${name})`

const groupsWith = (name: string): Fragment => sql`
  SELECT m."groupName" AS "text" FROM "Membership" m WHERE m."userId" = u."id" UNION SELECT ${name}`

const groupsWithout = (name: string): Fragment => sql`
  SELECT m."groupName" AS "text" FROM "Membership" m WHERE m."userId" = u."id" AND m."groupName" <> ${name}`

/**
 * After the lock of the accounts, so that of two concurrent changes to one account the second sees the first.
 *
 * @param ids values or a SELECT of ids
 * @param changing whether the transaction changes the groups of `u`
 */
const announceGroups = (db: Database, ids: Fragment, changing: Fragment, groups: Fragment) =>
  announce(db, 'groups.changed', sql`u."id" IN (${ids}) AND ${changing}`, { groups: jsonArray(groups) })
