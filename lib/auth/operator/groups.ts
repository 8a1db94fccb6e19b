import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import { database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import { recordEvent } from '../audit/events'
import { logSecurityEvent } from '../audit/security-log'
import type { UserRow } from '../model/accounts'
import { isGroupName } from '../model/groups'
import { operatorOrigin } from './operator-origin'

export interface GroupMembers {
  group: string
  /** Usernames, sorted */
  members: string[]
}

/** `members` is a count. */
export async function listGroups(): Promise<{ name: string; members: number }[]> {
  const db = await database()
  const select = { name: true, _count: { select: { memberships: true } } } as const
  const rows = await db.group.findMany({ select, orderBy: { name: 'asc' } })
  return rows.map(({ name, _count }) => ({ name, members: _count.memberships }))
}

export async function showGroup(name: string): Promise<GroupMembers | null> {
  const db = await database()
  const select = { memberships: { select: { user: { select: { username: true } } } } } as const
  const row = await db.group.findUnique({ where: { name }, select })
  return row && { group: name, members: row.memberships.map(({ user }) => user.username).sort() }
}

/**
 * Makes the group if there is none. One batch: if an account is deleted meanwhile, nothing changes.
 *
 * @throws ApiError invalid_request, not_found
 */
export async function addToGroup(name: string, accounts: UserRow[]): Promise<void> {
  if (!isGroupName(name))
    throw new ApiError('invalid_request', { fields: { group: { key: 'group_format', max: limits.groupName.max } } })
  const db = await database()
  // An update locks a group that there is, so that PostgreSQL does not delete it before the memberships refer to it.
  const creation = db.$executeRaw`
    INSERT INTO "Group" ("name") VALUES (${name}) ON CONFLICT ("name") DO UPDATE SET "name" = excluded."name"`
  const joining = accounts.map(
    ({ id }) => db.$executeRaw`
      INSERT INTO "Membership" ("userId", "groupName") VALUES (${id}, ${name}) ON CONFLICT DO NOTHING`,
  )
  const [, ...counts] = await db.$transaction([creation, ...joining]).catch((cause: unknown) => {
    throw isGone(cause) ? new ApiError('not_found', { cause }) : cause
  })
  await recordChanges(accounts, counts)
}

export async function removeFromGroup(name: string, accounts: UserRow[]): Promise<void> {
  const db = await database()
  const leaving = accounts.map(({ id }) => db.membership.deleteMany({ where: { userId: id, groupName: name } }))
  const counts = await db.$transaction([...leaving])
  await recordChanges(
    accounts,
    counts.map(({ count }) => count),
  )
}

/** Its members leave it. @returns false if there was none */
export async function deleteGroup(name: string): Promise<boolean> {
  const db = await database()
  const members = await db.membership.count({ where: { groupName: name } })
  const { count } = await db.group.deleteMany({ where: { name } })
  if (count === 0) return false
  logSecurityEvent('group_deleted', operatorOrigin(), { method: 'operator', count: members })
  return true
}

async function recordChanges(accounts: UserRow[], counts: number[]): Promise<void> {
  for (const [index, { id }] of accounts.entries())
    if (counts[index] === 1) await recordEvent(id, 'groups_changed', operatorOrigin(), 'operator')
}
