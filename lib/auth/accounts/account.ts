import * as z from 'zod'
import { administrators } from '@/lib/api/names'
import { fieldError, groupNames, type User } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { readRows } from '@/lib/database/direct-sql'
import { type Fragment, sql, statement } from '@/lib/database/fragments'
import { isoTime, isoTimeOrNull, type Time } from '../time'

export interface UserRow {
  id: string
  username: string
  displayName: string | null
  createdAt: Time
}

/** Session tokens carry the epoch, so incrementing it revokes them all. */
export interface UserWithEpoch extends UserRow {
  sessionEpoch: number
}

export interface SignInUser extends UserWithEpoch {
  usernameKey: string
  passwordHash: string | null
}

/** Seconds since 2020: above any epoch in use, since those grow by one per sign-out. Fits 32 bits until 2088. */
export const freshEpoch = () => Math.floor((Date.now() - Date.UTC(2020, 0, 1)) / 1000)

/** Usernames are unique without regard to case, also among other accounts' e-mail addresses. */
export const usernameKey = (username: string) => username.toLowerCase()

/** To search by, since display names are not unique. They are stored in NFC. */
export const displayNameKey = (name: string | null) => name?.toLowerCase() ?? null

export const publicUser = ({ id, username, displayName, createdAt }: UserRow): User => ({
  id,
  username,
  displayName,
  createdAt: isoTime(createdAt),
})

/** When the recovery codes were made, while some are left. */
export const codesMadeAt = (left: number, time: Time | null) => (left > 0 ? isoTimeOrNull(time) : null)

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

/** The longest e-mail address (RFC 5321 section 4.5.3.1.3, without the angle brackets) */
const maxCharacters = 254
/** A dot-atom (RFC 5322 section 3.2.3) of at most 64 characters (RFC 5321 section 4.5.3.1.1). */
const localPart = /^(?=.{1,64}$)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** Two labels or more (RFC 1035 section 2.3.1), of which the last is no number. */
const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/
/** URL parsing would ignore or replace other characters. */
const readableDomain = /^[\p{L}\p{M}\p{N}.-]+$/u

/** One e-mail address, its domain as A-labels (RFC 5890 section 2.3.2.1) in lower case. */
export const emailAddress = z.string({ error: fieldError({ key: 'email_format' }) }).transform((text, context) => {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, Math.max(at, 0)), aLabels(text.slice(at + 1))]
  const email = `${local}@${domain}`
  if (localPart.test(local) && hostName.test(domain) && email.length <= maxCharacters) return email
  context.addIssue(fieldError({ key: 'email_format' }))
  return z.NEVER
})

function aLabels(domain: string): string {
  const url = `https://${domain}`
  return readableDomain.test(domain) && URL.canParse(url) ? new URL(url).hostname : ''
}

/** E-mail addresses are unique without regard to case, also among other accounts' usernames. */
export const emailKey = (email: string) => email.toLowerCase()

export const isGroupName = (text: string) => groupNames.test(text)

/** Whether "User" as `u` is an administrator who can sign in; the passkey `without` does not count. */
export const isActiveAdministrator = (without = ''): Fragment => sql`
  NOT u."disabled"
    AND EXISTS (SELECT 1 FROM "Membership" m WHERE m."userId" = u."id" AND m."groupName" = ${administrators})
    AND EXISTS (SELECT 1 FROM "Passkey" k WHERE k."userId" = u."id" AND k."userVerified" AND k."id" <> ${without})`

/** The groups of "User" as `u`, as `parseGroups` takes them. */
export const groupsAggregate = sql`(SELECT string_agg(m."groupName", ',') FROM "Membership" m WHERE m."userId" = u."id")`

export const parseGroups = (aggregate: string | null): string[] => aggregate?.split(',').sort() ?? []

/** Makes the group if there is none, and locks it. */
export const groupCreation = (db: Database, name: string) => db.$executeRaw`
  INSERT INTO "Group" ("name") VALUES (${name}) ON CONFLICT ("name") DO UPDATE SET "name" = excluded."name"`

export const joinIfThere = (db: Database, userId: string, group: string) => db.$executeRaw`
  INSERT INTO "Membership" ("userId", "groupName") SELECT ${userId}, g."name" FROM "Group" g WHERE g."name" = ${group}
  ON CONFLICT DO NOTHING`

/**
 * Before the statements that read what it protects: PostgreSQL locks the rows until the commit; SQLite runs one transaction at
 * a time.
 *
 * @param ids values or a SELECT of ids
 */
export const lockUsers = (db: Database, ids: Fragment) =>
  statement(db, sql`UPDATE "User" SET "sessionEpoch" = "sessionEpoch" WHERE "id" IN (${ids})`)

export const lockUser = (db: Database, id: string) => lockUsers(db, sql`${id}`)

/** The same; the transaction fails if there is no such row. */
export const lockExistingUser = (db: Database, where: { id: string; sessionEpoch?: number }) =>
  db.user.update({ where, data: { sessionEpoch: { increment: 0 } }, select: { id: true } })

/** Locks the group's row as `lockUser` does an account's. */
export const lockGroup = (db: Database, name: string) =>
  db.$executeRaw`UPDATE "Group" SET "name" = "name" WHERE "name" = ${name}`
