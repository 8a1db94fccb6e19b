import type { Database } from '@/lib/database/client'
import { consumptionOfAll } from '@/lib/database/consumed-tokens'
import { sql } from '@/lib/database/fragments'

/** Revokes the sessions that recovery codes opened, except `sid`. */
export const revocationWithRecoveryCodes = (db: Database, userId: string, sid: string) =>
  consumptionOfAll(
    db,
    sql`
      SELECT s."id", s."expiresAt" FROM "Session" s
      WHERE s."userId" = ${userId} AND s."method" = 'recovery' AND s."id" <> ${sid}`,
  )

/** Revokes the sessions that replaced `rootId`, except `sid`. */
export const revocationOfSuccessors = (db: Database, userId: string, rootId: string, sid: string) =>
  consumptionOfAll(
    db,
    sql`
      SELECT s."id", s."expiresAt" FROM "Session" s
      WHERE s."userId" = ${userId} AND s."rootId" = ${rootId} AND s."id" <> ${sid}`,
  )

/** Revokes the sessions that a password opened, except `sid`, unless the account still has a password. */
export const revocationWithPassword = (db: Database, userId: string, sid: string) =>
  consumptionOfAll(
    db,
    sql`
      SELECT s."id", s."expiresAt" FROM "Session" s JOIN "User" u ON u."id" = s."userId"
      WHERE s."userId" = ${userId} AND s."method" = 'pwd' AND s."id" <> ${sid} AND u."passwordHash" IS NULL`,
  )

/** The same passkey may be registered again, and its old sessions must stay revoked. */
export const revocationOfRemovedPasskey = (db: Database, userId: string, passkeyId: string) =>
  consumptionOfAll(
    db,
    sql`
      SELECT s."id", s."expiresAt" FROM "Session" s
      WHERE s."userId" = ${userId} AND s."passkeyId" = ${passkeyId}
        AND NOT EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = ${passkeyId})`,
  )
