import { administrators } from '@/lib/api/names'
import { groupNames } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { type Fragment, sql, statement } from '@/lib/database/sql'

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
