import { randomBytes } from 'node:crypto'
import { administrators } from '@/lib/api/names'
import { groupNames, type User } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { type Fragment, readRows, type SqlRow, type SqlTime, sql, statement } from '@/lib/database/sql'
import { isoTime, isoTimeOrNull } from './time'

/* What every room of lib/auth knows of an account: its row, the keys that find it, its groups, and their locks. */

export type UserRow = SqlRow<'User', 'id' | 'username' | 'displayName' | 'createdAt'>

/** Makes an id of 128 random bits in base64url: as the user handle, it must reveal nothing (WebAuthn section 14.6.1). */
export const newUserId = () => randomBytes(16).toString('base64url')

/** True for canonical base64url of at most 64 bytes (WebAuthn section 5.4.3). */
export function isUserHandle(text: string, minBytes = 1): boolean {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length >= minBytes && bytes.length <= 64 && bytes.toString('base64url') === text
}

/** An imported account whose id is no valid handle has one of its own. */
export const userHandleOf = ({ id, userHandle }: { id: string; userHandle: string | null }) => userHandle ?? id

/** Session tokens carry the epoch, so incrementing it revokes them all. */
export type UserWithEpoch = UserRow & SqlRow<'User', 'sessionEpoch'>

export type SignInUser = UserWithEpoch & SqlRow<'User', 'usernameKey' | 'passwordHash'>

/** Seconds since 2020: above any epoch in use, since those grow by one per sign-out. Fits 32 bits until 2088. */
export const freshEpoch = () => Math.floor((Date.now() - Date.UTC(2020, 0, 1)) / 1000)

/** Usernames are unique without regard to case, also among other accounts' e-mail addresses. */
export const usernameKey = (username: string) => username.toLowerCase()

/** E-mail addresses are unique without regard to case, also among other accounts' usernames. */
export const emailKey = (email: string) => email.toLowerCase()

/** Makes the form of a display name that searches compare. It is no unique key; names are stored in NFC. */
export const displayNameKey = (name: string | null) => name?.toLowerCase() ?? null

export const publicUser = ({ id, username, displayName, createdAt }: UserRow): User => ({
  id,
  username,
  displayName,
  createdAt: isoTime(createdAt),
})

/** When the recovery codes were made, while some are left. */
export const codesMadeAt = (left: number, time: SqlTime | null) => (left > 0 ? isoTimeOrNull(time) : null)

/** Reads hash and epoch together, so that a new epoch also revokes the session of a sign-in in flight. */
export async function findUserForSignIn(username: string): Promise<SignInUser | null> {
  const [user] = await readRows<SignInUser>`
    SELECT u."id", u."username", u."displayName", u."usernameKey", u."createdAt", u."sessionEpoch", u."passwordHash" FROM "User" u
    WHERE u."usernameKey" = ${usernameKey(username)}`
  return user ?? null
}

export async function isDisabled(id: string): Promise<boolean> {
  return (await readRows`SELECT 1 AS "found" FROM "User" u WHERE u."id" = ${id} AND u."disabled"`).length > 0
}

/**
 * Comes before the statements that read what it protects: PostgreSQL locks the rows until the commit; SQLite runs one transaction at
 * a time.
 *
 * @param ids values or a SELECT of ids
 */
export const lockUsers = (db: Database, ids: Fragment) =>
  statement(db)`UPDATE "User" SET "sessionEpoch" = "sessionEpoch" WHERE "id" IN (${ids})`

export const lockUser = (db: Database, id: string) => lockUsers(db, sql`${id}`)

/** Locks a row in the same way; the transaction fails if there is no such row. */
export const lockExistingUser = (db: Database, where: { id: string; sessionEpoch?: number }) =>
  db.user.update({ where, data: { sessionEpoch: { increment: 0 } }, select: { id: true } })

/* Groups. */

export const isGroupName = (text: string) => groupNames.test(text)

/** The groups of "User" as `u`, as `parseGroups` takes them. */
export const groupsAggregate = sql`(SELECT string_agg(m."groupName", ',') FROM "Membership" m WHERE m."userId" = u."id")`

export const parseGroups = (aggregate: string | null): string[] => aggregate?.split(',').sort() ?? []

/** Makes the group if there is none, and locks it. */
export const groupCreation = (db: Database, name: string) => statement(db)`
  INSERT INTO "Group" ("name") VALUES (${name}) ON CONFLICT ("name") DO UPDATE SET "name" = excluded."name"`

export const joinIfThere = (db: Database, userId: string, group: string) => statement(db)`
  INSERT INTO "Membership" ("userId", "groupName") SELECT ${userId}, g."name" FROM "Group" g WHERE g."name" = ${group}
  ON CONFLICT DO NOTHING`

/** Locks the group's row as `lockUser` does an account's. */
export const lockGroup = (db: Database, name: string) =>
  statement(db)`UPDATE "Group" SET "name" = "name" WHERE "name" = ${name}`

/** A condition: "User" as `u` is an administrator who can sign in; the passkey `without` does not count. */
export const isActiveAdministrator = (without = ''): Fragment => sql`
  NOT u."disabled"
    AND EXISTS (SELECT 1 FROM "Membership" m WHERE m."userId" = u."id" AND m."groupName" = ${administrators})
    AND EXISTS (SELECT 1 FROM "Passkey" k WHERE k."userId" = u."id" AND k."userVerified" AND k."id" <> ${without})`
