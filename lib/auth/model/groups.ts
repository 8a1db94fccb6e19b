import { limits } from '@/lib/api/limits'
import type { Database } from '@/lib/database/client'

/** Proxies hand groups on in one header, separated by commas, so a name has neither a comma nor a control character. */
export const isGroupName = (text: string) => /^[a-z0-9._-]+$/.test(text) && text.length <= limits.groupName.max

/** From the aggregate of a statement, which has them in no order and is null without any. */
export const readGroups = (aggregate: string | null): string[] => aggregate?.split(',').sort() ?? []

export const joinIfThere = (db: Database, userId: string, group: string) => db.$executeRaw`
  INSERT INTO "Membership" ("userId", "groupName") SELECT ${userId}, g."name" FROM "Group" g WHERE g."name" = ${group}
  ON CONFLICT DO NOTHING`
