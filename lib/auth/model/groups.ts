import { limits } from '@/lib/api/limits'
import type { Database } from '@/lib/database/client'
import { sql } from '@/lib/database/fragments'

/** Proxies hand groups on in one header, separated by commas, so a name has neither a comma nor a control character. */
export const isGroupName = (text: string) => /^[a-z0-9._-]+$/.test(text) && text.length <= limits.groupName

/** The groups of "User" as `u`, as `parseGroups` takes them. */
export const groupsAggregate = sql`(SELECT string_agg(m."groupName", ',') FROM "Membership" m WHERE m."userId" = u."id")`

export const parseGroups = (aggregate: string | null): string[] => aggregate?.split(',').sort() ?? []

export const joinIfThere = (db: Database, userId: string, group: string) => db.$executeRaw`
  INSERT INTO "Membership" ("userId", "groupName") SELECT ${userId}, g."name" FROM "Group" g WHERE g."name" = ${group}
  ON CONFLICT DO NOTHING`
